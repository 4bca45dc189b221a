/** What the configuration file of a run may hold: all that the options say, thresholds and owners. */
import { z } from 'zod';
import { stages } from '../core/result.ts';
import { topologyModes } from '../core/topology.ts';
import {
  durationExpectation,
  durationOf,
  durationPattern,
  positiveDurationPattern,
} from './duration.ts';
import { fitTestName, jiraComponent, suiteName } from './test-words.ts';
import { thresholdsSchema } from './thresholds-schema.ts';

const text = z.string().min(1, 'text');
const texts = z.array(text);

function duration(pattern: string) {
  return z
    .string(durationExpectation)
    .meta({ pattern })
    .transform((value, context) => {
      const milliseconds = durationOf(value);
      if (milliseconds !== undefined) return milliseconds;
      context.addIssue({ code: 'custom', message: durationExpectation });
      return z.NEVER;
    });
}

const scopes = ['platform', 'all'] as const;
const formats = ['terminal', 'json', 'junit'] as const;

const owner = z.strictObject({
  jiraComponent: jiraComponent.describe("The exact name of the owner's Jira component"),
});

const junit = z.strictObject({
  suiteName: suiteName
    .optional()
    .describe('The name of the test suite; Sippy drops those it does not know'),
  failureLimit: z.int().min(0).optional().describe('More hard failures than this become flakes'),
});

/** Paths are relative to the file that holds them; durations become milliseconds. */
export const configSchema = z
  .strictObject({
    kubeconfig: text.describe('The kubeconfig file'),
    context: text.describe('The context of the kubeconfig'),
    cluster: text.describe('The cluster of the kubeconfig'),
    user: text.describe('The user of the kubeconfig'),
    as: text.describe('The user to impersonate'),
    asGroups: texts.describe('The groups to impersonate'),
    from: texts.describe('Recordings to read instead of a live cluster; - is standard input'),
    namespaces: texts.describe('Judge these namespaces only'),
    excludeNamespaces: texts.describe('Leave these namespaces out'),
    scope: z.enum(scopes).describe('Which namespaces are judged by default'),
    suites: texts.describe('Run these suites only'),
    checks: texts.describe('Run these checks only'),
    checkFolders: texts.describe('Folders of checks of your own'),
    stages: z
      .record(z.string(), z.enum(stages))
      .describe('The stage by check or suite; * is all of them'),
    exceptions: texts.describe('Files of exceptions, beside the shipped one'),
    shippedExceptions: z.boolean().describe('Whether the shipped exceptions are loaded'),
    out: text.describe('The directory that receives the reports'),
    record: text.describe('The file that receives a snapshot of what was read'),
    format: z.enum(formats).describe('What is printed'),
    timeout: duration(positiveDurationPattern)
      .refine((value) => value > 0, 'more than 0')
      .describe('How long a run may take'),
    settleWait: duration(durationPattern).describe(
      'When a transient check looks again; 0 is never',
    ),
    exitZero: z.boolean().describe('Exit with 0 once the reports are written'),
    quiet: z.boolean().describe('No progress'),
    topology: z.enum(topologyModes).describe('The topology that manifests are written for'),
    managedService: z.boolean().describe("The cluster is one of OpenShift's managed offering"),
    strictSingletons: z
      .boolean()
      .describe('Judge also what only its name shows to be a control loop'),
    strictSuspend: z.boolean().describe('Report a suspended CronJob instead of noting it'),
    sidecars: texts.describe('Containers that are injected into pods'),
    criticalBudgets: z
      .array(z.string().regex(/^[^/\s]+\/[^/\s]+$/, 'namespace/name'))
      .describe('PodDisruptionBudgets that guard data as a quorum does'),
    thresholds: thresholdsSchema.describe('The numbers that rules compare with'),
    owners: z.record(z.string(), owner).superRefine(fitTestName).describe('Owners by namespace'),
    junit: junit.describe('The JUnit report'),
  })
  .partial()
  .meta({
    title: 'ha-compliance.yaml',
    description:
      'The configuration of a run of ha-compliance. An option of the command line wins over it.',
  });

export type Config = z.output<typeof configSchema>;
