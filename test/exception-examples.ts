/** Small exceptions, findings and circumstances for the tests of exceptions/. */
import type { Finding, ObjectReference } from '../core/result.ts';
import type { Exception } from '../exceptions/exception.ts';
import type { Circumstances } from '../exceptions/validity.ts';

const record: Exception = {
  at: 'a.yaml:1',
  check: 'pdb-presence',
  namespace: ['shop'],
  kind: 'Deployment',
  name: 'cart',
  state: 'pending',
  jira: 'SHOP-1',
  reason: 'a second replica is planned',
  addedOn: '2026-01-01',
  expires: '2026-12-31',
};

export type Fields = { readonly [K in keyof Exception]?: Exception[K] | undefined };

/** A field given as undefined is left out. */
export function exception(fields: Fields = {}): Exception {
  return JSON.parse(JSON.stringify({ ...record, ...fields }));
}

export function finding(object: Partial<ObjectReference> = {}): Finding {
  return {
    object: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'shop',
      name: 'cart',
      ...object,
    },
    message: '2 replicas, no PodDisruptionBudget selects them',
    command: 'kubectl get deployment cart -n shop -o yaml',
  };
}

export const circumstances: Circumstances = {
  now: new Date('2026-11-21T12:00:00Z'),
  release: '4.20.3',
  platform: 'AWS',
  controlPlaneTopology: 'HighlyAvailable',
};
