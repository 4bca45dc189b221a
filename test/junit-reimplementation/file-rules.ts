/** The rules about the file as a whole: place, suites, numbers, elements. */
import type { Element } from './parse.ts';
import { all } from './parse.ts';
import type { Rule } from './rules.ts';

const ourFile = /^junit_ha_compliance__\d{8}-\d{6}\.xml$/;

export const fileRules = {
  R1: ({ file }) => {
    const [name = '', folder] = file.path.split('/').toReversed();
    const others = (file.beside ?? []).filter((other) => ourFile.test(other) && other !== name);
    return [
      ...(folder === 'junit' && ourFile.test(name) ? [] : [`file ${file.path}`]),
      ...others.map((other) => `an older file beside it: ${other}`),
    ];
  },
  R2: ({ root, expected }) => {
    const suites = all(root, 'testsuite');
    const [suite] = suites;
    const listed = expected.suites ?? ['openshift-tests'];
    return [
      ...(root.name === 'testsuite' || root.name === 'testsuites' ? [] : [`root ${root.name}`]),
      ...(suites.length === 1 ? [] : [`${suites.length} suites`]),
      ...(listed.includes(suite?.attributes['name'] ?? '')
        ? []
        : ['a suite that Sippy does not list']),
    ];
  },
  R3: ({ file, root }) => [
    ...(/^<\?xml [^>]*encoding="UTF-8"/.test(file.text) ? [] : ['no UTF-8 declaration']),
    ...(file.text.includes('\u009B') ? ['an ANSI escape'] : []),
    ...[root, ...all(root, 'testsuite')].flatMap(badCounts),
    ...[...all(root, 'testsuite'), ...all(root, 'testcase')].flatMap(badTime),
  ],
  R14: ({ root }) => all(root, 'error').map(() => 'an <error> element'),
} satisfies Record<string, Rule>;

function badCounts(suite: Element): readonly string[] {
  const found = { skipped: all(suite, 'skipped').length, failures: all(suite, 'failure').length };
  const wrong = Object.entries(found).filter(([key, n]) => suite.attributes[key] !== String(n));
  return [
    ...(/^\d+$/.test(suite.attributes['tests'] ?? '') ? [] : ['tests is not a number']),
    ...wrong.map(([key, n]) => `${key} is ${suite.attributes[key]}, not ${n}`),
  ];
}

const badTime = ({ name, attributes }: Element): readonly string[] =>
  /^\d+\.\d+$/.test(attributes['time'] ?? '') ? [] : [`time of a ${name}: ${attributes['time']}`];
