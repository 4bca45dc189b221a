/** The rules about cases: statuses, twins, texts. */
import type { Case } from './parse.ts';
import { all, sippyStatuses, statusOf, testsOf } from './parse.ts';
import type { Rule } from './rules.ts';

const framework = 'ha-compliance.framework';

export const caseRules = {
  R4: ({ root, cases }) => [
    ...[root, ...all(root, 'testsuite')].flatMap((suite) => {
      const counted = suite.attributes['tests'] ?? '';
      const found = all(suite, 'testcase').length;
      // What is not a number at all is another rule's.
      const differs = /^\d+$/.test(counted) && Number(counted) !== found;
      return differs ? [`tests is ${counted}, not ${found}`] : [];
    }),
    ...testsOf(cases)
      .map((twins) => twins.map(statusOf).join(' then '))
      .filter((order) => !['pass', 'fail', 'skip', 'fail then pass'].includes(order)),
    ...cases
      .filter(({ classname }) => !/^ha-compliance\.[a-z0-9-]+$/.test(classname))
      .map(({ classname }) => `class ${classname}`),
  ],
  R5: ({ cases }) => cases.flatMap(badFailure),
  R6: ({ cases }) => testsOf(cases).flatMap(([failing, passing]) => badTwin(failing, passing)),
  R10: ({ cases }) =>
    [...Map.groupBy(testsOf(cases), ([first]) => first?.name)]
      .filter(([, tests]) => tests.length > 1)
      .map(([name]) => `${name} in several classes`),
  R11: ({ cases }) =>
    testsOf(cases)
      .map((twins) => twins.flatMap(({ attributes, properties }) => [attributes, properties]))
      .map((places) => new Set(places.map((place) => place['lifecycle'])))
      .filter((values) => values.size > 1 || ![undefined, 'informing'].includes([...values][0]))
      .map((values) => `lifecycle is ${[...values].map(String).join(' and ')}`),
  R12: ({ cases, expected: { limit = 10 } }) => {
    const failing = [...sippyStatuses(cases).values()].filter((status) => status === 'fail').length;
    return [
      ...(failing > limit ? [`${failing} failures`] : []),
      ...ownCase(cases, 'ha-compliance failures should stay below the mass failure limit'),
    ];
  },
  R13: ({ cases }) => [
    ...ownCase(cases, 'monitor test ha-compliance collection'),
    ...ownCase(cases, 'monitor test ha-compliance evaluation'),
  ],
  R15: ({ cases }) =>
    cases
      .filter(({ skipped, name }) => {
        const reason = skipped?.attributes['message'] ?? '';
        const optional = name.endsWith(' should be served where its rollouts are judged');
        return skipped && !reason.startsWith('not evaluated: ') && !(optional && reason !== '');
      })
      .map(({ name }) => `skipped, but not for missing data: ${name}`),
} satisfies Record<string, Rule>;

function badFailure({ failure, classname, name }: Case): readonly string[] {
  if (failure === undefined) return [];
  const message = failure.attributes['message'] ?? '';
  const [summary = '', ...lines] = failure.text.split('\n');
  const tags = lines.flatMap((line) => /^\[(?:FAIL|FLAKE)\]/.exec(line) ?? []);
  const untold = lines.filter(
    (line) => line.startsWith('[FLAKE]') && !/https?:|[A-Z]+-\d/.test(line),
  );
  const problems = [
    ...(message === '' || message.length > 200 || message.includes('\n') ? ['message'] : []),
    ...(summary === '' || !summary.startsWith(message) ? ['first line'] : []),
    ...(tags.join() === tags.toSorted().join() ? [] : ['[FLAKE] before [FAIL]']),
    ...(tags.length > 0 || classname === framework ? [] : ['no violation']),
    ...untold.map(() => 'a covered violation without a link'),
  ];
  return problems.map((problem) => `${problem} of ${name}`);
}

function badTwin(failing: Case | undefined, passing: Case | undefined): readonly string[] {
  if (!failing?.failure || !passing) return [];
  const covered = failing.failure.text.split('\n').filter((line) => line.startsWith('[FLAKE]'));
  const links = covered.flatMap((line) => line.match(/https?:\/\/[^\s:]+/g) ?? []);
  const untold = links.filter((link) => !passing.output.includes(link));
  return [
    ...(passing.output.trim() === '' ? [`no reason in the twin of ${failing.name}`] : []),
    ...untold.map((link) => `${link} is not in the twin`),
  ];
}

/** There, and no failure of anybody. */
function ownCase(cases: readonly Case[], ending: string): readonly string[] {
  const name = `[Monitor:ha-compliance][Jira:"Test Framework"] ${ending}`;
  const own = cases.filter((one) => one.name === name);
  const status = sippyStatuses(own).get(name);
  return status === 'pass' || status === 'flake' ? [] : [`${ending}: ${status ?? 'absent'}`];
}
