/** Adding a check touches one folder, and that folder holds everything that belongs to it. */
import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadAll } from 'js-yaml';
import { describe, it } from 'mocha';
import { reservedWords, roomForOwner } from '../config/test-words.ts';
import type { AnyCheck } from '../core/check.ts';
import { testName } from '../core/test-name.ts';
import { exceptionsSchema } from '../exceptions/schema.ts';
import components from '../suites/namespace-components.json' with { type: 'json' };
import { checks, suites } from './index.ts';

const root = path.dirname(import.meta.dirname);
const folderOf = ({ suite, id }: AnyCheck) => path.join(import.meta.dirname, suite, id);
const pageOf = (check: AnyCheck) => readFileSync(path.join(folderOf(check), 'README.md'), 'utf8');

describe('the registry of checks', () => {
  it('has a check for every folder, called like it and below its suite', () => {
    const folders = globSync('*/*/check.ts', { cwd: import.meta.dirname }).map(path.dirname);
    const named = checks.map(({ suite, id }) => path.join(suite, id));
    assert.deepEqual(folders.toSorted(), named.toSorted());
  });

  it('has every id once', () => {
    assert.equal(new Set(checks.map(({ id }) => id)).size, checks.length);
  });
});

for (const check of checks) {
  describe(`the folder of ${check.id}`, () => {
    it('holds the check, its page and its fixtures', () => {
      const entries = readdirSync(folderOf(check)).toSorted();
      assert.deepEqual(entries, ['README.md', 'check.ts', 'fixtures']);
      const fixtures = readdirSync(path.join(folderOf(check), 'fixtures'));
      assert.deepEqual(
        fixtures.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*\.yaml$/.test(file)),
        [],
      );
    });

    it('has an id that says what is good, not what is forbidden', () => {
      assert.match(check.id, /^(?!no-)[a-z]+(-[a-z]+)+$/);
    });

    it('rests on a source', () => {
      assert.ok(check.source.length > 0);
      for (const { title, url } of check.source) {
        assert.notEqual(title, '');
        assert.match(url, /^https:\/\/[^\s/]+\/\S*$/);
      }
    });
  });

  describe(`the page of ${check.id}`, () => {
    it('has the headings of every page, in their order', () => {
      const headings = proseOf(pageOf(check)).filter((line) => line.startsWith('#'));
      assert.deepEqual(headings, [
        `# ${check.id}`,
        '## What it checks',
        '## Why it matters',
        '## How to fix',
        '## When an exception is fair',
        '## References',
      ]);
    });

    it('says in its first line what the check says of itself', () => {
      const { suite, severity, stage, scope, redundant } = check;
      const topology = redundant ? 'redundant' : 'any';
      const facts = { suite, severity, stage, scope, topology };
      const [, , line] = pageOf(check).split('\n');
      const said = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
      assert.equal(line, said.join(' · ').replace('suite', 'Suite'));
    });

    it('shows how to fix a finding in YAML', () => {
      const blocks = yamlBelow('How to fix', pageOf(check));
      assert.ok(blocks.some((block) => typeof block === 'object' && block !== null));
    });

    it('shows an exception that the tool would take', () => {
      const [record, ...others] = yamlBelow('When an exception is fair', pageOf(check));
      assert.deepEqual(others, []);
      const [example] = exceptionsSchema.parse(record);
      assert.equal(example?.check, check.id);
      assert.match(example?.jira ?? '', /^SANDBOX-/);
    });

    it('names the sources of the check', () => {
      const page = pageOf(check);
      const references = page.slice(page.indexOf('## References'));
      for (const { url } of check.source) assert.ok(references.includes(`](${url})`), url);
    });
  });

  describe(`the test name of ${check.id}`, () => {
    it('varies by namespace only', () => {
      const places = check.testName.split('ns/<namespace> ').length - 1;
      assert.equal(places, check.scope === 'namespace' ? 1 : 0);
      const rest = check.testName.replace('ns/<namespace> ', '');
      assert.match(
        rest,
        /^[A-Za-z]+((,? |-)[A-Za-z]+)+$/,
        'a number, a name or a placeholder in it',
      );
    });

    it('fits dashboards, for the longest namespace and for those with a component', () => {
      const names = [
        testName(check.testName, { namespace: 'x'.repeat(63) }),
        ...Object.entries(components).map(([namespace, jiraComponent]) =>
          testName(check.testName, { namespace, jiraComponent }),
        ),
        testName(check.testName, {
          namespace: 'x'.repeat(63),
          jiraComponent: 'x'.repeat(roomForOwner - 63),
        }),
      ];
      assert.deepEqual(
        names.filter((name) => name.length > 200),
        [],
      );
    });

    it('has no words that dashboards ignore or send elsewhere', () => {
      for (const words of reservedWords) {
        const isIn = check.testName.toLowerCase().includes(words.toLowerCase());
        assert.ok(!isIn, words);
      }
    });
  });
}

describe('the page of a suite', () => {
  for (const suite of suites) {
    it(`leads to each of its checks: ${suite}`, () => {
      const page = readFileSync(path.join(import.meta.dirname, suite, 'README.md'), 'utf8');
      const own = checks.filter((check) => check.suite === suite).map(({ id }) => id);
      const linked = [...page.matchAll(/\]\(([a-z-]+)\/README\.md\)/g)].map(([, id]) => id);
      assert.deepEqual(linked.toSorted(), own.toSorted());
    });
  }
});

describe('code outside of checks', () => {
  // Comments may say whose threshold a number is; examples of tests may look like the real thing.
  it('names no check', () => {
    const sources = globSync(
      '{core,config,cluster,exceptions,reports,suites,cli,scripts,sandbox}/**/*.{ts,js}',
      {
        cwd: root,
      },
    ).map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
    const production = sources.filter(({ file }) => !isForTests(file, sources));
    assert.ok(production.length > 0);
    const ids = new RegExp(`(?<![\\w-])(${checks.map(({ id }) => id).join('|')})(?![\\w-])`);
    const naming = production.flatMap(({ file, text }) =>
      text
        .split('\n')
        .filter((line) => !isComment(line) && ids.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(naming, []);
  });
});

/** The lines outside of fenced blocks. */
function proseOf(page: string): readonly string[] {
  return page.replaceAll(/^```.*?^```$/gms, '').split('\n');
}

/** The YAML blocks below a heading, parsed. */
function yamlBelow(heading: string, page: string): readonly unknown[] {
  const [, ...sections] = page.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```yaml\n(.*?)^```$/gms)];
  return blocks.flatMap(([, block = '']) => loadAll(block));
}

interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** Tests, and what only tests import. */
function isForTests(file: string, sources: readonly SourceFile[]): boolean {
  if (file.endsWith('.test.ts')) return true;
  const importers = sources.filter(({ text }) => text.includes(`/${path.basename(file)}'`));
  return importers.length > 0 && importers.every((other) => other.file.endsWith('.test.ts'));
}

const isComment = (line: string) => /^\s*(\/\*|\*|\/\/)/.test(line);
