import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { deployment, estate, make, node, ownedByKind, pod, workload } from '../test/objects.ts';
import { finding, kubectlGet, podsCommand, templatePatch } from './finding.ts';

const patch = { spec: { replicas: 2 } };
const web = (metadata: object = {}) =>
  workload(
    'web',
    estate([deployment('web', { metadata, spec: { template: { metadata: labelled } } })]),
  );
const labelled = { labels: { tier: 'a', app: 'web' } };
const custom = () => {
  const metadata = ownedByKind('core.strimzi.io/v1', 'StrimziPodSet', 'kafka');
  return workload('kafka', estate([pod('kafka-0', { metadata })]));
};

describe('finding', () => {
  it('names the object, the message and a command that shows it', () => {
    assert.deepEqual(finding(deployment('web'), { message: 'm' }), {
      object: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
      message: 'm',
      command: 'kubectl get deployment web -n shop -o yaml',
    });
  });

  it('carries what else was observed', () => {
    const observed = { path: 'spec.replicas', message: 'm', patch, transient: true } as const;
    const found = finding(web(), { ...observed, container: 'app', shows: '{.spec.replicas}' });
    assert.deepEqual(found, {
      object: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace: 'shop',
        name: 'web',
        container: 'app',
      },
      ...observed,
      command: "kubectl get deployment web -n shop -o 'jsonpath={.spec.replicas}'",
    });
  });

  it('takes a better command', () => {
    assert.equal(
      finding(web(), { message: 'm', command: 'kubectl get x' }).command,
      'kubectl get x',
    );
  });

  it('leaves a namespace out where there is none', () => {
    const { object, command } = finding(node('worker-1'), { message: 'm' });
    assert.deepEqual(object, { apiVersion: 'v1', kind: 'Node', name: 'worker-1' });
    assert.equal(command, 'kubectl get node worker-1 -o yaml');
  });

  it('qualifies kinds that are not Kubernetes’ own', () => {
    const commands = [
      make('deploymentConfigs', 'a'),
      make('ingresses', 'a'),
      make('horizontalPodAutoscalers', 'a'),
    ].map((object) => finding(object, { message: '' }).command.split(' ')[2]);
    assert.deepEqual(commands, [
      'deploymentconfig.apps.openshift.io',
      'ingress',
      'horizontalpodautoscaler',
    ]);
  });

  it('names the manager, and gives no patch that it would undo', () => {
    const managed = web(ownedByKind('serving.knative.dev/v1', 'Revision', 'r'));
    const found = finding(managed, { message: 'm', patch });
    assert.equal(found.message, 'm; managed by Revision shop/r: change it there');
    assert.ok(!('patch' in found));
  });

  it('gives no patch for a custom workload, of which only pods are known', () => {
    const found = finding(custom(), { message: 'm', patch });
    assert.ok(!('patch' in found));
    assert.equal(found.message, 'm');
    assert.match(found.command, /^kubectl get strimzipodset\.core\.strimzi\.io kafka -n shop/);
  });

  it('gives a patch for an object of its own, whoever owns it', () => {
    const owned = deployment('web', { metadata: ownedByKind('example.org/v1', 'App', 'x') });
    assert.deepEqual(finding(owned, { message: 'm', patch }).patch, patch);
  });
});

describe('podsCommand', () => {
  it('selects pods by their labels, in order', () => {
    assert.equal(podsCommand(web()), 'kubectl get pods -n shop -l app=web,tier=a -o wide');
  });

  it('selects the pods of a custom workload by what they share', () => {
    const owner = ownedByKind('core.strimzi.io/v1', 'StrimziPodSet', 'kafka');
    const member = (name: string) =>
      pod(name, { metadata: { ...owner, labels: { cluster: 'kafka', pod: name } } });
    const kafka = workload('kafka', estate([member('kafka-0'), member('kafka-1')]));
    assert.equal(podsCommand(kafka), 'kubectl get pods -n shop -l cluster=kafka -o wide');
  });

  it('stays a command where there are no labels', () => {
    assert.equal(podsCommand(custom()), "kubectl get pods -n shop -l '' -o wide");
  });
});

describe('kubectlGet', () => {
  it('keeps every word one word, whatever is in it', () => {
    assert.equal(
      kubectlGet(['pods', 'a b', "it's", '$(rm)', 'a;b', '']),
      ['kubectl get pods', "'a b'", String.raw`'it'\''s'`, "'$(rm)'", "'a;b'", "''"].join(' '),
    );
  });

  it('leaves alone what needs no quotes', () => {
    assert.equal(
      kubectlGet(['-l', 'app=web,tier!=a', '-o', 'wide']),
      "kubectl get -l 'app=web,tier!=a' -o wide",
    );
  });
});

describe('templatePatch', () => {
  it('is a patch of the pod template', () => {
    assert.deepEqual(templatePatch({}, { hostNetwork: false }), {
      spec: { template: { spec: { hostNetwork: false } } },
    });
  });

  it('is none of a custom resource, whose lists it would replace', () => {
    const source = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'cart' },
    };
    assert.equal(templatePatch({ source }, { hostNetwork: false }), undefined);
  });
});
