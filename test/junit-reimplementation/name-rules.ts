/** The rules about names: they are a test's identity for ever. */
import type { Rule } from './rules.ts';

const monitor = '[Monitor:ha-compliance]';

/** What ignores or re-routes a test by its name. */
const reserved =
  /Overall|Monitor cluster while tests execute|was not OOMKilled|Run multi-stage test|operator\.Import|operator\.Run template|operator\.Build image|job\.initialize|Cluster should remain functional during upgrade|remains available|disruption\/|connection .*should be available|single second disruptions|clusteroperator\/|alert\//;

const generated = /(?:must-gather|debug)-[a-z0-9]{5}$/;

export const nameRules = {
  R7: ({ cases }) => {
    const places = cases.map(({ name }) => ({
      namespace: namespaceOf(name),
      template: templateOf(name),
    }));
    const inNamespace = places.filter(({ namespace }) => namespace !== undefined);
    const namespaces = new Set(inNamespace.map(({ namespace }) => namespace));
    const emitted = new Set(
      inNamespace.map(({ namespace, template }) => `${template} ${namespace}`),
    );
    const templates = [...new Set(inNamespace.map(({ template }) => template))];
    return [
      ...templates
        .flatMap((template) => [...namespaces].map((namespace) => `${template} ${namespace}`))
        .filter((wanted) => !emitted.has(wanted))
        .map((wanted) => `missing: ${wanted}`),
      ...[...namespaces]
        .filter((namespace) => generated.test(namespace ?? ''))
        .map((namespace) => `generated namespace ${namespace}`),
    ];
  },
  R8: ({ cases, expected }) =>
    distinct(cases).flatMap((name) => {
      const tags = [...name.matchAll(/\[Jira:([^\]]*)\]/g)].map(([, tag = '']) => tag);
      const [component] = tags.map((tag) => /^"([^"]+)"$/.exec(tag)?.[1]);
      const known = expected.components?.some(
        (one) => one.toLowerCase() === component?.toLowerCase(),
      );
      const varying = /(?:^|\s)v?\d[\d.:%]*(?:\s|$)|\b[0-9a-f]{8,10}-[a-z0-9]{5}\b|\d{4}-\d\d-\d\d/;
      const problems = [
        ...(name.startsWith(monitor) ? [] : ['no monitor tag']),
        ...(tags.length > 1 || (tags.length === 1 && component === undefined) ? ['Jira tag'] : []),
        ...(component === undefined || known !== false ? [] : [`component ${component}`]),
        ...(name.includes('ns/') && namespaceOf(name) === undefined ? ['namespace'] : []),
        ...(varying.test(templateOf(name)) ? ['something that varies'] : []),
      ];
      return problems.map((problem) => `${problem} in ${name}`);
    }),
  R9: ({ cases }) => distinct(cases).filter((name) => reserved.test(name)),
  R16: ({ cases }) => distinct(cases).filter((name) => name.length > 200),
  R17: ({ cases, expected: { released = [] } }) => {
    const hashed = Map.groupBy(distinct(cases), (name) => name.replace(/\[Monitor:[^\]]*\]/g, ''));
    const emitted = new Set(cases.map(({ name }) => templateOf(name)));
    return [
      ...[...hashed]
        .filter(([, names]) => names.length > 1)
        .map(([name]) => `two tests are ${name}`),
      ...released.filter((name) => !emitted.has(name)).map((name) => `released, but gone: ${name}`),
    ];
  },
} satisfies Record<string, Rule>;

const distinct = (cases: readonly { readonly name: string }[]): readonly string[] => [
  ...new Set(cases.map(({ name }) => name)),
];

const namespaceOf = (name: string): string | undefined =>
  /\bns\/([a-z0-9][a-z0-9-]*) /.exec(name)?.[1];

/** The name without its tags, for any namespace. */
const templateOf = (name: string): string =>
  name
    .replace(/\[(?:Monitor|Jira):[^\]]*\]/g, '')
    .replace(/\bns\/[a-z0-9][a-z0-9-]* /, 'ns/<namespace> ')
    .trim();
