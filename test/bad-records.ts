/** Records that break one rule each, with the message: the goldens of their validation. */

/** A record without fault, as YAML. */
const goodRecord: Readonly<Record<string, string>> = {
  check: 'pdb-presence',
  namespace: 'shop',
  kind: 'Deployment',
  name: 'cart',
  state: 'pending',
  jira: 'SHOP-1',
  reason: 'a second replica is planned',
  addedOn: '2026-11-21',
  expires: '2027-03-01',
};

type Changes = Readonly<Record<string, string | undefined>>;

/** What is changed in the good record, and what is said of it, behind the file's name. */
export const badRecords: readonly (readonly [Changes, ...(readonly string[])])[] = [
  [
    { check: 'pdb-presense' },
    '1:10 check: expected the id of a check, found "pdb-presense", did you mean "pdb-presence"?',
  ],
  [
    { check: 'disruption' },
    '1:10 check: expected the id of a check, not the name of a suite, found "disruption"',
  ],
  [{ check: undefined }, '1:3 check: expected text, found nothing'],
  [{ check: 'x' }, '1:10 check: expected the id of a check, found "x"'],
  [
    { check: 'cm-01' },
    '1:10 check: expected the id of a check, found "cm-01", did you mean "CM-01"?',
  ],
  [{ chek: 'a' }, '10:3 unknown key "chek", did you mean "check"?'],
  [
    { namespace: undefined },
    '1:3 namespace: expected a namespace, or namespacePattern (the kind is namespaced), found nothing',
  ],
  [{ namespace: 'Shop' }, '2:14 namespace: expected the exact name of a namespace, found "Shop"'],
  [
    { namespace: '[shop, Shop]' },
    '2:21 namespace[1]: expected the exact name of a namespace, found "Shop"',
  ],
  [{ namespace: '[shop, shop]' }, '1:3 says the same of the same objects as x.yaml:1'],
  [{ namespace: '[]' }, '2:14 namespace: expected at least one namespace, found a list'],
  [{ namespace: '3' }, '2:14 namespace: expected a namespace or a list of namespaces, found 3'],
  [
    { namespacePattern: 'team-<any>', patternReason: 'x' },
    '10:21 namespacePattern: expected nothing beside namespace, found "team-<any>"',
  ],
  [
    { namespace: undefined, namespacePattern: 'team-<any>' },
    '1:3 patternReason: expected the reason why exact namespaces do not do, found nothing',
  ],
  [
    { patternReason: 'x' },
    '10:18 patternReason: expected nothing without namespacePattern, found "x"',
  ],
  [
    { namespace: undefined, namespacePattern: '<any>', patternReason: 'x' },
    '9:21 namespacePattern: expected literal text beside the placeholders, found "<any>"',
  ],
  [
    { namespace: undefined, namespacePattern: 'a<any>b<any>', patternReason: 'x' },
    '9:21 namespacePattern: expected <any> only once, found "a<any>b<any>"',
  ],
  [
    { namespace: undefined, namespacePattern: 'team', patternReason: 'x' },
    '9:21 namespacePattern: expected at least one placeholder, found "team"',
  ],
  [
    { namespace: undefined, namespacePattern: 'team-*', patternReason: 'x' },
    '9:21 namespacePattern: expected literal text and the placeholders <hash>, <node>, <ordinal> and <any>, found "team-*"',
  ],
  [{ kind: 'Node' }, '2:14 namespace: expected nothing (the kind is cluster-scoped), found "shop"'],
  [
    { kind: 'Node', namespace: undefined, namespacePattern: 'a<any>', patternReason: 'x' },
    '9:21 namespacePattern: expected nothing (the kind is cluster-scoped), found "a<any>"',
  ],
  [{ kind: 'deployment' }, '3:9 kind: expected Deployment, found "deployment"'],
  [{ kind: 'Statefulset' }, '3:9 kind: expected StatefulSet, found "Statefulset"'],
  [{ kind: undefined }, '1:3 kind: expected text, found nothing'],
  [{ name: undefined }, '1:3 name: expected an exact name, or namePattern, found nothing'],
  [
    { name: 'web-*' },
    '4:9 name: expected an exact name (placeholders belong in namePattern), found "web-*"',
  ],
  [
    { namePattern: 'web-<hash>' },
    '10:16 namePattern: expected nothing beside name, found "web-<hash>"',
  ],
  [
    { name: undefined, namePattern: 'web-<nod>' },
    '9:16 namePattern: expected literal text and the placeholders <hash>, <node> and <ordinal>, found "web-<nod>"',
  ],
  [
    { name: undefined, namePattern: 'web-<any>' },
    '9:16 namePattern: expected literal text and the placeholders <hash>, <node> and <ordinal>, found "web-<any>"',
  ],
  [
    { name: undefined, namePattern: '<hash>' },
    '9:16 namePattern: expected literal text beside the placeholders, found "<hash>"',
  ],
  [
    { name: undefined, namePattern: 'web' },
    '9:16 namePattern: expected at least one placeholder, found "web"',
  ],
  [
    { name: undefined, namePattern: 'web-.*' },
    '9:16 namePattern: expected literal text and the placeholders <hash>, <node> and <ordinal>, found "web-.*"',
  ],
  [
    { name: undefined, namePattern: `${'a'.repeat(301)}<hash>` },
    '9:16 namePattern: expected at most 300 characters, found "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"',
  ],
  [
    { check: 'readiness-probes', container: '"Web x"' },
    '10:14 container: expected the exact name of a container, found "Web x"',
  ],
  [
    { container: 'web' },
    '10:14 container: expected nothing (the findings of pdb-presence name no container), found "web"',
  ],
  [
    { state: 'pendin' },
    '5:10 state: expected one of pending, permanent, found "pendin", did you mean "pending"?',
  ],
  [{ state: undefined }, '1:3 state: expected one of pending, permanent, found nothing'],
  [
    { jira: undefined },
    '1:3 jira: expected the Jira issue that will end the exception, found nothing',
  ],
  [
    { jira: 'SHOP' },
    '6:9 jira: expected a Jira key such as OCPBUGS-12345, or its browse URL, found "SHOP"',
  ],
  [
    { jira: 'https://example.com/browse/SHOP-1' },
    '6:9 jira: expected a Jira key such as OCPBUGS-12345, or its browse URL, found "https://example.com/browse/SHOP-1"',
  ],
  [{ jira: '12' }, '6:9 jira: expected text, found 12'],
  [
    { source: 'https://x.y/z' },
    '10:11 source: expected nothing (a convention allows permanent exceptions only), found "https://x.y/z"',
  ],
  [
    { state: 'permanent', jira: undefined, expires: undefined },
    '1:3 approver: expected the name of who approved the permanent exception, found nothing',
    '1:3 jira: expected a Jira issue, or source, found nothing',
  ],
  [
    { state: 'permanent', expires: undefined },
    '1:3 approver: expected the name of who approved the permanent exception, found nothing',
  ],
  [
    { state: 'permanent', approver: 'me', jira: undefined, source: 'http://x', expires: undefined },
    '9:11 source: expected an https:// link, found "http://x"',
  ],
  [{ reason: undefined }, '1:3 reason: expected text, found nothing'],
  [{ reason: '""' }, '7:11 reason: expected one line of text, found ""'],
  [{ reason: '"a\\nb"' }, '7:11 reason: expected one line of text, found "a\\nb"'],
  [{ reason: '" "' }, '7:11 reason: expected one line of text, found " "'],
  [{ addedOn: undefined }, '1:3 addedOn: expected a date such as 2026-11-21, found nothing'],
  [
    { addedOn: '2026-02-30' },
    '8:12 addedOn: expected a date such as 2026-11-21, found "2026-02-30"',
  ],
  [{ addedOn: 'yesterday' }, '8:12 addedOn: expected a date such as 2026-11-21, found "yesterday"'],
  [
    { expires: '2026-11-20' },
    '9:12 expires: expected a date that is not before addedOn, found "2026-11-20"',
  ],
  [
    { expires: undefined },
    '1:3 expires: expected a date, or targetRelease (a pending exception ends), found nothing',
  ],
  [{ expires: 'soon' }, '9:12 expires: expected a date such as 2026-11-21, found "soon"'],
  [{ targetRelease: '"5.1"' }, '10:18 targetRelease: expected nothing beside expires, found "5.1"'],
  [
    { expires: undefined, targetRelease: '5.1' },
    '9:18 targetRelease: expected a release in quotes, such as "5.1" (5.10 without them is 5.1), found 5.1',
  ],
  [
    { expires: undefined, targetRelease: 'next' },
    '9:18 targetRelease: expected a release such as "5.1", found "next"',
  ],
  [
    { releases: '4.20' },
    '10:13 releases: expected a range of releases in quotes, such as ">=4.20 <5.1", found 4.2',
  ],
  [
    { releases: '">4.20 || <5"' },
    '10:13 releases: expected a range of releases such as ">=4.20 <5.1", found ">4.20 || <5"',
  ],
  [
    { topologies: '[HighlyAvailble]' },
    '10:16 topologies[0]: expected one of HighlyAvailable, HighlyAvailableArbiter, DualReplica, SingleReplica, External, found "HighlyAvailble", did you mean "HighlyAvailable"?',
  ],
  [{ topologies: '[]' }, '10:15 topologies: expected at least one topology, found a list'],
  [{ platforms: 'AWS' }, '10:14 platforms: expected a list, found "AWS"'],
  [{ matched: '-1' }, '10:12 matched: expected at least 0, found -1'],
  [{ matched: '1.5' }, '10:12 matched: expected a whole number, found 1.5'],
  [{ matched: 'many' }, '10:12 matched: expected a number, found "many"'],
  [{ approver: '' }, '10:3 approver: expected text, found null'],
];

/** The good record with changes, as a file of one entry; a field that is undefined is left out. */
export function recordWith(changes: Changes): string {
  const fields = Object.entries({ ...goodRecord, ...changes });
  const given = fields.filter(([, value]) => value !== undefined);
  return `- ${given.map(([key, value]) => `${key}: ${value}`).join('\n  ')}\n`;
}
