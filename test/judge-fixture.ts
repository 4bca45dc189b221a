/** What a check says about a fixture. */
import { artifactsOf } from '../core/artifacts.ts';
import type { AnyCheck } from '../core/check.ts';
import type { Outcome } from '../core/evaluate.ts';
import { evaluate, placeOf } from '../core/evaluate.ts';
import { factsOf } from '../core/facts.ts';
import { classOf } from '../core/namespace.ts';
import { operatorNamespaces } from '../core/olm.ts';
import type { Scope } from '../core/scope.ts';
import { defaultOptions } from '../core/scope.ts';
import { objectsOf } from '../core/snapshot.ts';
import { defaultThresholds } from '../core/thresholds.ts';
import type { Fixture } from './fixture.ts';

export function judgeFixture(
  check: AnyCheck,
  fixture: Fixture,
): { readonly outcome: Outcome; readonly scope: Scope } {
  const scope = scopeOf(check, fixture);
  const artifacts = artifactsOf(fixture.snapshot)(placeOf(check, scope));
  return { outcome: evaluate(check, fixture.snapshot, artifacts, scope), scope };
}

function scopeOf(check: AnyCheck, fixture: Fixture): Scope {
  const { snapshot, namespace, options, thresholds, minimums } = fixture;
  const facts = factsOf(snapshot, {
    thresholds: { ...defaultThresholds, ...thresholds, workloads: minimums },
    options: { ...defaultOptions, ...options },
  });
  const openshift = facts.openshift || fixture.openshift;
  const cluster = { ...facts, openshift };
  if (check.scope === 'cluster') return { cluster };
  const object = objectsOf(snapshot, 'namespaces').find((o) => o.metadata.name === namespace);
  const own = object ?? { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  return {
    cluster,
    namespace,
    class: classOf(own, {
      openshift,
      managedService: false,
      operators: operatorNamespaces(snapshot),
    }),
    labels: own.metadata.labels ?? {},
  };
}
