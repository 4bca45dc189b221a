/** Runs every fixture of every check against what its leading comments expect. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { artifactsOf } from '../core/artifacts.ts';
import type { AnyCheck } from '../core/check.ts';
import type { Outcome } from '../core/evaluate.ts';
import { evaluate } from '../core/evaluate.ts';
import { factsOf } from '../core/facts.ts';
import { classOf } from '../core/namespace.ts';
import type { ObjectReference } from '../core/result.ts';
import { defaultOptions } from '../core/scope.ts';
import { objectsOf } from '../core/snapshot.ts';
import { defaultThresholds } from '../core/thresholds.ts';
import { readFixture } from '../test/fixture.ts';
import { checks } from './index.ts';

describe('fixtures', () => {
  for (const check of checks) {
    describe(check.id, () => {
      const folder = path.join(import.meta.dirname, check.suite, check.id, 'fixtures');
      const files = globSync(`${folder}/*.yaml`).toSorted();
      for (const file of files) {
        it(path.basename(file, '.yaml').replaceAll('-', ' '), () => runFixture(check, file));
      }

      it('has a fixture that passes and one that fails', () => {
        const expected = files.flatMap((file) => readFixture(file).expected);
        assert.ok(expected.includes('pass'), 'none expects pass');
        assert.ok(expected.some(isFinding), 'none expects a finding');
      });
    });
  }
});

function runFixture(check: AnyCheck, file: string): void {
  const { snapshot, namespace, openshift, options, expected } = readFixture(file);
  assert.ok(expected.length > 0, 'the fixture expects nothing');
  const facts = factsOf(snapshot, {
    thresholds: { ...defaultThresholds, workloads: [] },
    options: { ...defaultOptions, ...options },
  });
  const cluster = { ...facts, openshift: facts.openshift || openshift };
  const object = objectsOf(snapshot, 'namespaces').find((o) => o.metadata.name === namespace);
  const own = object ?? { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  const scope = {
    cluster,
    ...(check.scope === 'namespace' && {
      namespace,
      class: classOf(own, { openshift: cluster.openshift, managedService: false }),
      labels: own.metadata.labels ?? {},
    }),
  };
  const artifacts = artifactsOf(snapshot)(scope.namespace);
  const said = sayings(evaluate(check, snapshot, artifacts, scope));
  const notes = expected.filter((line) => line.startsWith('note: '));
  assert.deepEqual(
    said.filter((line) => !line.startsWith('note: ')),
    expected.filter((line) => !line.startsWith('note: ')).toSorted(),
  );
  for (const note of notes) assert.ok(said.includes(note), `${note}\n${said.join('\n')}`);
}

function sayings(outcome: Outcome): readonly string[] {
  switch (outcome.kind) {
    case 'skip':
      return [`skip: ${outcome.reason}`, ...outcome.notes.map((note) => `note: ${note}`)];
    case 'error':
      return [`error: ${outcome.cause} ${outcome.reason}`];
    default: {
      const findings = outcome.findings.map(({ object, message }) => `${name(object)}: ${message}`);
      const verdict = findings.length > 0 ? findings.toSorted() : ['pass'];
      return [...verdict, ...outcome.notes.map((note) => `note: ${note}`)];
    }
  }
}

function name({ kind, namespace, name: own, container }: ObjectReference): string {
  return [kind, namespace, own, container].filter((part) => part !== undefined).join('/');
}

const isFinding = (line: string) => !/^(pass$|skip: |error: |note: )/.test(line);
