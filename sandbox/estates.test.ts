import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { estates } from './estates.ts';
import { type Manifest, parseManifests, readManifests } from './manifests.ts';

const folder = (name: string) => join(import.meta.dirname, 'estates', name);

describe('estates', () => {
  it('are all there, with an entry each', async () => {
    for (const name of [...Object.keys(estates), 'openshift-platform']) {
      assert.notEqual((await readManifests(folder(name))).length, 0, name);
    }
  });

  it('hold in ha a dozen namespaces and every kind that the checks judge', async () => {
    const manifests = await readManifests(folder('ha'));
    const kinds = Object.groupBy(manifests, ({ kind }) => kind);
    assert.ok((kinds['Namespace']?.length ?? 0) >= 12);
    const expected = [
      ...['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Pod', 'Job', 'CronJob'],
      ...['PodDisruptionBudget', 'HorizontalPodAutoscaler', 'Service', 'Ingress'],
      ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
    ];
    assert.deepEqual(
      expected.filter((kind) => kinds[kind] === undefined),
      [],
    );
  });

  it('name namespaces that they define', async () => {
    for (const name of Object.keys(estates)) {
      const manifests = await readManifests(folder(name));
      const defined = manifests.filter(({ kind }) => kind === 'Namespace');
      const known = new Set(['kube-system', ...defined.map(({ metadata }) => metadata.name)]);
      const strays = manifests.filter(
        ({ metadata }) => metadata.namespace !== undefined && !known.has(metadata.namespace),
      );
      assert.deepEqual(strays.map(describeManifest), []);
    }
  });

  it('say which file cannot be read', () => {
    assert.throws(() => parseManifests('kind: [', 'shop.yaml'), /^SandboxError: shop\.yaml: /);
    assert.throws(() => parseManifests('kind: Pod', 'shop.yaml'), /apiVersion/);
  });
});

function describeManifest({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.namespace}/${metadata.name}`;
}
