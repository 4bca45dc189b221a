/** What a user's check may be called in JUnit: names that dashboards drop, redirect or merge are none. */
import type { AnyCheck } from '../core/check.ts';

type Named = Pick<AnyCheck, 'testName' | 'scope'>;

/** What is wrong with the name of a check's test; undefined where nothing is. */
export function nameProblem({ testName, scope }: Named): string | undefined {
  const problem = rules.find(({ breaks }) => breaks(testName, scope));
  return problem && `testName: expected ${problem.expected}, found ${JSON.stringify(testName)}`;
}

interface Rule {
  readonly expected: string;
  readonly breaks: (name: string, scope: AnyCheck['scope']) => boolean;
}

const rules: readonly Rule[] = [
  {
    expected: 'one line of printable characters',
    breaks: (name) => /\p{C}|\p{Zl}|\p{Zp}| {2}/u.test(name) || name !== name.trim(),
  },
  {
    expected: '"ns/<namespace> " once, since every namespace has its result',
    breaks: (name, scope) => scope === 'namespace' && !/^[^<]*\bns\/<namespace> [^<]*$/.test(name),
  },
  {
    expected: 'no namespace, since the check is one of the cluster',
    breaks: (name, scope) => scope === 'cluster' && /<namespace>|\bns\//.test(name),
  },
  {
    expected: 'no tag, since ha-compliance sets them',
    breaks: (name) => /\[[^\]]*\]/.test(name),
  },
  {
    // With the longest namespaces and components of OpenShift this stays within 200.
    expected: 'at most 100 characters besides the namespace',
    breaks: (name) => name.replace('<namespace>', '').length > 100,
  },
  {
    expected: 'no number, version, hash or time: the name is for ever',
    breaks: (name) => name.split(/[\s/(),:;]+/).some(isPassing),
  },
  {
    expected: 'nothing that dashboards leave out or count as somebody else’s',
    breaks: (name) => redirected.some((words) => words.test(name)),
  },
];

/** A code (`WL-01`) and a protocol (`IPv4`) last; a version, a count or a pod's name does not. */
function isPassing(word: string): boolean {
  if (!/\d/.test(word) || /^\p{Lu}+-\d+$/u.test(word)) return false;
  return !/^\p{L}+\d\p{L}*$/u.test(word) || /^v\d/i.test(word);
}

/** Sippy ignores these, or takes them for results of its own. */
const redirected = [
  /Overall/,
  /Monitor cluster while tests execute/,
  /was not OOMKilled/,
  /Run multi-stage test/,
  /operator\.(?:Import|Run template|Build image)/,
  /job\.initialize/,
  /Cluster should remain functional during upgrade/,
  /remains available/,
  /disruption\//,
  /connection .*should be available/,
  /single second disruptions/,
  /clusteroperator\//,
  /alert\//,
];
