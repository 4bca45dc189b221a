import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { renderJunit } from '../../reports/junit.ts';
import { sampleReport } from '../sample-report.ts';
import type { JunitFile } from './rules.ts';
import { ruleIds, violations } from './rules.ts';

const good: JunitFile = {
  path: 'out/junit/junit_ha_compliance__20261121-162711.xml',
  text: renderJunit(sampleReport()),
};

const expected = {
  components: ['management console', 'Test Framework'],
  released: ['workloads in ns/<namespace> should be protected by PodDisruptionBudgets'],
};

const name = 'pods in ns/shop should define health checks';
const passing = (classname: string, named: string) =>
  `<testcase classname="${classname}" name="${named}" time="0.0"/>\n  </testsuite>`;

/** Each breaks its rule, and no other. */
const breaks: Readonly<Record<string, Readonly<Record<string, (file: JunitFile) => JunitFile>>>> = {
  R1: {
    'another folder': (file) => ({ ...file, path: file.path.replace('junit/', '') }),
    'another name': (file) => ({ ...file, path: 'out/junit/ha.xml' }),
    'an older file beside it': (file) => ({
      ...file,
      beside: ['junit_ha_compliance__20261120-000000.xml', 'junit_e2e.xml'],
    }),
  },
  R2: {
    'a suite that is not listed': replace('"openshift-tests"', '"ha-compliance"'),
    'a suite in a suite': recount(
      /<testcase /,
      '<testsuite name="inner" tests="0" failures="0" skipped="0" time="0.0"/><testcase ',
    ),
    'another root': replace(/testsuites/g, 'report'),
  },
  R3: {
    'what is not XML': replace('</testsuites>', ''),
    'a character that XML does not have': replace('nothing to judge', 'nothing\u0001'),
    'an escape of a terminal': replace('nothing to judge', '\u009B31mnothing'),
    'a count with a fraction': replace('tests="18"', 'tests="18.0"'),
    'a count that is wrong': replace('failures="7"', 'failures="6"'),
    'a negative count': replace('skipped="2"', 'skipped="-2"'),
    'a time without a point': replace('time="14.250"', 'time="14"'),
    'another encoding': replace('UTF-8', 'UTF-16'),
  },
  R4: {
    'a passing case before the failing one': (file) => {
      const [failing = '', passed = ''] = cases(file.text).filter((one) =>
        one.includes('ns/openshift-dns should have sufficient replicas'),
      );
      return replace(failing + passed, passed + failing)(file);
    },
    'a test that passes twice': recount(
      '  </testsuite>',
      `  ${passing('ha-compliance.redundancy', `[Monitor:ha-compliance] workloads in ns/shop should have sufficient replicas for HA`)}`,
    ),
    'another class': replace(/"ha-compliance\.probes"/g, '"probes"'),
    'twins that are not counted': replace(/ tests="18"/g, ' tests="14"'),
  },
  R5: {
    'no text': replace(
      /(<failure message="Replicated [^>]*>)<!\[CDATA\[[^\]]*\[FAIL\][^\]]*\[[^\]]*\][^\]]*\]\]>/,
      '$1',
    ),
    'no message': replace(/<failure message="Replicated [^"]*"/, '<failure'),
    'what is covered first': replace(
      /(\[FAIL\] Deployment openshift-console\/console: keeps.*\n)(\[FLAKE\].*\n)/,
      '$2$1',
    ),
    'an acceptance without a link': replace(/; https:\/\/example.org\S+ a cache.*/, ''),
  },
  R6: {
    'a twin without a word': replace(
      /<system-out><!\[CDATA\[not enforced.*\]\]><\/system-out>/,
      '',
    ),
    'a twin without the link': replace(/covered by an exception: https:\/\/example.*\n/, ''),
  },
  R7: {
    'a check that is absent in a namespace': without('ns/openshift-dns should define'),
    'a generated namespace': replace(/ns\/shop /g, 'ns/openshift-must-gather-5tdq5 '),
  },
  R8: {
    'a number': replace(/define health checks/g, 'define 3 health checks'),
    'a version': replace(
      /should define health checks/g,
      'should define health checks since 4.22.1',
    ),
    'a pod': replace(/define health checks/g, 'define health checks in web-7d9c5bb6f4-x2x8q'),
    'two owners': replace(
      /\[Jira:&quot;Management Console&quot;\]/g,
      '$&[Jira:&quot;Networking&quot;]',
    ),
    'an owner without quotes': replace(/&quot;Management Console&quot;/g, 'Management Console'),
    'an operator as owner': replace(/&quot;Management Console&quot;/g, '&quot;console&quot;'),
    'no monitor': replace(/\[Monitor:ha-compliance\] pods in ns\/shop/, 'pods in ns/shop'),
    'no space after a namespace': replace(/ns\/shop should/g, 'ns/shop/* should'),
  },
  R9: {
    'a name that Sippy re-routes': replace(
      /should define health checks/g,
      'should define alert/ checks',
    ),
  },
  R10: {
    'a name in two classes': recount(
      '  </testsuite>',
      `  ${passing('ha-compliance.spread', '[Monitor:ha-compliance] workloads in ns/shop should have sufficient replicas for HA')}`,
    ),
  },
  R11: {
    'one twin only': replace(' lifecycle="informing"', ''),
    'no property': replace(
      /<properties>\s*<property name="lifecycle" value="informing"\/>\s*<\/properties>/,
      '',
    ),
    'another lifecycle': replace(/"informing"/g, '"blocking"'),
  },
  R12: {
    'too many failures': (file) => file,
    'no case for the limit': replace(/mass failure limit"/g, 'mass failure bound"'),
  },
  R13: {
    'no case for collection': replace(/ha-compliance collection"/g, 'ha-compliance gathering"'),
    'a failure of the framework': without('compliance evaluation', '<system-out>'),
  },
  R14: { 'an error': replace('<skipped message="not evaluated: forbidden', '<error/>$&') },
  R15: {
    'a skip for another reason': replace(
      'message="not evaluated: exception',
      'message="not applicable:',
    ),
    'a skip without reason': replace(/<skipped message="not evaluated: exc[^"]*"/, '<skipped'),
  },
  R16: {
    'a name that is too long': replace(/should define health checks/g, `should ${'x'.repeat(200)}`),
  },
  R17: {
    'a released name that is gone': replace(/be protected by Pod/g, 'have Pod'),
    'names that differ in the monitor only': recount(
      '  </testsuite>',
      `  ${passing('ha-compliance.probes', `[Monitor:ha-compliance][Monitor:x] ${name}`)}`,
    ),
  },
};

describe('the rules of Sippy and ci-test-mapping, reimplemented', () => {
  it('find nothing wrong with a report of every verdict', () => {
    assert.deepEqual(violations(good, expected), []);
  });

  it('are all broken by some case', () => {
    assert.deepEqual(Object.keys(breaks), ruleIds);
    assert.equal(ruleIds.length, 17);
  });

  for (const [rule, cases] of Object.entries(breaks)) {
    for (const [what, mutate] of Object.entries(cases)) {
      it(`${rule} is broken by ${what}`, () => {
        const limit = what === 'too many failures' ? 0 : 10;
        const found = violations(mutate(good), { ...expected, limit });
        assert.deepEqual(
          [...new Set(found.map((one) => one.split(':')[0]))],
          [rule],
          found.join('\n'),
        );
      });
    }
  }

  it('accept the one skipped case of an optional system that is not served', () => {
    const optional = replace(
      /"\[Monitor:ha-compliance\] pods in ns\/shop [^"]*"/,
      '"[Monitor:ha-compliance] argo-rollouts should be served where its rollouts are judged"',
    );
    const file = replace('not evaluated: exception', 'not served:')(optional(good));
    assert.deepEqual(
      violations(file, expected).filter((found) => found.startsWith('R15')),
      [],
    );
  });
});

function replace(pattern: string | RegExp, by: string) {
  return (file: JunitFile): JunitFile => {
    const text = file.text.replace(pattern, by);
    assert.notEqual(text, file.text, `nothing to replace: ${pattern}`);
    return { ...file, text };
  };
}

/** Cases added or taken away, with the counts in order again. */
function recount(pattern: string | RegExp, by: string) {
  return (file: JunitFile): JunitFile => {
    const { text } = replace(pattern, by)(file);
    const count = (element: string) => text.split(`<${element}`).length - 1;
    const counts = [
      ['tests', count('testcase')],
      ['failures', count('failure')],
      ['skipped', count('skipped')],
    ] as const;
    return {
      ...file,
      text: counts.reduce(
        (all, [key, n]) => all.replace(new RegExp(` ${key}="[1-9]\\d*"`, 'g'), ` ${key}="${n}"`),
        text,
      ),
    };
  };
}

const cases = (text: string): readonly string[] =>
  text.match(/ *<testcase [^>]*(?:\/>|>[\s\S]*?<\/testcase>)\n/g) ?? [];

/** The file without the first case that holds all of the texts. */
function without(...texts: readonly string[]) {
  return (file: JunitFile): JunitFile => {
    const gone = cases(file.text).find((one) => texts.every((text) => one.includes(text)));
    return recount(gone ?? 'no such case', '')(file);
  };
}
