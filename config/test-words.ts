/** What a person may put into the name of a test or suite: dashboards know tests by their names, for ever. */
import { z } from 'zod';

/** Rule R9 of JUnit: Sippy and the aggregation of payloads treat names with these in their own way. */
export const reservedWords = [
  'Overall',
  'Monitor cluster while tests execute',
  'was not OOMKilled',
  'Run multi-stage test',
  'operator.Import',
  'operator.Run template',
  'operator.Build image',
  'job.initialize',
  'Cluster should remain functional during upgrade',
  'remains available',
  'disruption/',
  'should be available',
  'single second disruptions',
  'clusteroperator/',
  'alert/',
];

/** What the 200 characters of a test's name leave for a namespace and the component that it belongs to. */
export const roomForOwner = 90;

// It stands in [Jira:"…"]: a quote or a bracket would end it.
const tagText = /^[^\s"\]\p{Cc}\p{Cf}](?:[^"\]\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*[^\s"\]\p{Cc}\p{Cf}])?$/u;
const visibleText = /^[^\p{Cc}]*[^\s\p{Cc}\p{Cf}][^\p{Cc}]*$/u;
const withoutReserved = new RegExp(
  `^(?!.*(?:${reservedWords.map((words) => words.replaceAll('.', '\\.')).join('|')}))`,
);

export const jiraComponent = z
  .string()
  .min(1, { error: 'text', abort: true })
  .max(roomForOwner, { error: `at most ${roomForOwner} characters`, abort: true })
  .regex(tagText, {
    error: 'one line without " and ], and without space at its ends',
    abort: true,
  })
  .regex(withoutReserved, 'a name without words by which dashboards sort out tests');

export const suiteName = z
  .string()
  .min(1, { error: 'text', abort: true })
  .regex(visibleText, 'one line of text that can be seen');

/** The name of a test has room for both, or loses its end, by which it is told from others. */
export function fitTestName(
  owners: Readonly<Record<string, { readonly jiraComponent: string }>>,
  context: z.RefinementCtx,
): void {
  for (const [namespace, { jiraComponent: component }] of Object.entries(owners)) {
    const room = Math.max(0, roomForOwner - namespace.length);
    if (component.length <= room) continue;
    const message = `at most ${room} characters beside a namespace of ${namespace.length}`;
    context.addIssue({ code: 'custom', path: [namespace, 'jiraComponent'], message });
  }
}
