import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyObject } from '../test/objects.ts';
import { deployment, estate, make, service, workload } from '../test/objects.ts';
import { isFrontDoor, isMetricsOnly, isServing, servicesOf, trafficTargets } from './traffic.ts';

const web = (...containers: object[]) => withSpec({ containers });
const withSpec = (spec: object) =>
  deployment('web', {
    spec: { template: { metadata: { labels: { app: 'web', tier: 'a' } }, spec } },
  });
const to = (name: string, spec: object = {}) =>
  service(name, { spec: { selector: { app: 'web' }, ...spec } });
const ports = (...all: object[]) => ({ ports: all });

function seen(objects: readonly AnyObject[]) {
  const found = estate([...(objects.some(isWeb) ? [] : [web()]), ...objects]);
  return [workload('web', found), found.artifacts, found.scope] as const;
}

const isWeb = ({ kind }: AnyObject) => kind === 'Deployment';

describe('servicesOf', () => {
  const table = [
    ['selects its template', { selector: { app: 'web', tier: 'a' } }, true],
    ['asks for another label', { selector: { app: 'web', tier: 'b' } }, false],
    ['has no selector', {}, false],
    ['has an empty selector', { selector: {} }, false],
    ['is an ExternalName', { selector: { app: 'web' }, type: 'ExternalName' }, false],
  ] as const;
  for (const [what, spec, expected] of table) {
    it(`${expected ? 'has' : 'has not'} one that ${what}`, () => {
      const [own, artifacts] = seen([service('web', { spec })]);
      assert.equal(servicesOf(own, artifacts).length === 1, expected);
    });
  }

  it('has none of another namespace, and none without a specification', () => {
    const elsewhere = to('web', {});
    const other = service('x', { metadata: { namespace: 'other' }, spec: elsewhere.spec });
    const [own, artifacts] = seen([other, service('y')]);
    assert.deepEqual(servicesOf(own, artifacts), []);
  });
});

describe('isMetricsOnly', () => {
  const named = (...names: (string | undefined)[]) =>
    ports(...names.map((name, i) => ({ name, port: 80 + i })));
  const table = [
    ['metrics', {}, true],
    ['web-metrics', {}, true],
    ['webmetrics', {}, false],
    ['metrics-web', {}, false],
    ['web', named('metrics'), true],
    ['web', named('https-metrics', 'mtrc'), true],
    ['web', named('metrics-https'), true],
    ['web', named('http', 'metrics'), false],
    ['web', named('symmetrics'), false],
    ['web', named(undefined), false],
    ['web', {}, false],
  ] as const;
  for (const [name, spec, expected] of table) {
    it(`is ${expected} of Service ${name} with ${JSON.stringify(spec)}`, () => {
      assert.equal(isMetricsOnly(service(name, { spec })), expected);
    });
  }

  it('is false without a specification', () => {
    assert.equal(isMetricsOnly(service('web')), false);
  });
});

describe('isFrontDoor', () => {
  const isDoor = (...objects: AnyObject[]) => isFrontDoor(...seen(objects));

  it('is false behind a plain Service', () => {
    assert.equal(isDoor(to('web')), false);
  });

  const open = [{ type: 'LoadBalancer' }, { type: 'NodePort' }, { externalIPs: ['192.0.2.1'] }];
  for (const spec of open) {
    it(`is true behind a Service with ${JSON.stringify(spec)}`, () => {
      assert.equal(isDoor(to('web', spec)), true);
    });
  }

  it('is true behind a Service that a route leads to', () => {
    const route = make('routes', 'web', { spec: { to: { kind: 'Service', name: 'web' } } });
    assert.equal(isDoor(to('web'), route), true);
    assert.equal(isDoor(to('other'), route), false);
  });

  it('is true behind metrics that are called', () => {
    const api = { service: { namespace: 'shop', name: 'metrics' } };
    assert.equal(isDoor(to('metrics'), make('apiServices', 'v1.metrics', { spec: api })), true);
  });
});

describe('isServing', () => {
  const isInPath = (...objects: AnyObject[]) => isServing(...seen(objects));

  it('is false without a Service', () => {
    assert.equal(isInPath(), false);
    assert.equal(isInPath(withSpec({})), false);
  });

  it('is true behind a Service, but not behind one for metrics only', () => {
    assert.equal(isInPath(to('web')), true);
    assert.equal(isInPath(to('web-metrics')), false);
    assert.equal(isInPath(to('web-metrics'), to('web')), true);
  });

  it('is true behind metrics that are open to the outside', () => {
    assert.equal(isInPath(to('web-metrics', { type: 'NodePort' })), true);
  });

  it('is true with a port of the node', () => {
    assert.equal(isInPath(web({ ports: [{ containerPort: 80, hostPort: 80 }] })), true);
    assert.equal(isInPath(web({ ports: [{ containerPort: 80 }] })), false);
    const containers = [{ ports: [{ containerPort: 80 }] }];
    assert.equal(isInPath(withSpec({ hostNetwork: true, containers })), true);
  });
});

describe('trafficTargets', () => {
  const http = { name: 'http', containerPort: 8080 };
  const app = { name: 'app', ports: [http] };
  const sidecar = { name: 'sidecar', ports: [{ name: 'admin', containerPort: 9000 }] };

  function targets(...objects: AnyObject[]) {
    const { containers, undeclared } = trafficTargets(...seen(objects));
    return {
      containers: containers.map(({ container, target, via }) => [container.name, target, via]),
      undeclared: undeclared.map(({ target, protocol, via }) => [target, protocol, via]),
    };
  }

  it('finds the container that declares the number', () => {
    const found = targets(web(app, sidecar), to('web', ports({ port: 80, targetPort: 8080 })));
    assert.deepEqual(found, {
      containers: [['app', 8080, 'Service shop/web port 80']],
      undeclared: [],
    });
  });

  it('finds the container that declares the name', () => {
    const port = { name: 'web', port: 80, targetPort: 'http' };
    const found = targets(web(app, sidecar), to('web', ports(port)));
    assert.deepEqual(found.containers, [['app', 'http', 'Service shop/web port web']]);
  });

  it('takes the port for the target where none is named', () => {
    assert.equal(targets(web(app), to('web', ports({ port: 8080 }))).containers.length, 1);
  });

  it('stays within the protocol', () => {
    const udp = { name: 'dns', ports: [{ name: 'http', containerPort: 8080, protocol: 'UDP' }] };
    const found = targets(web(udp), to('web', ports({ port: 80, targetPort: 'http' })));
    assert.deepEqual(found.containers, []);
    const both = to('web', ports({ port: 53, targetPort: 8080, protocol: 'UDP' }));
    assert.equal(targets(web(udp), both).containers.length, 1);
  });

  it('shows a number that no container declares', () => {
    const found = targets(web(sidecar, { name: 'app' }), to('web', ports({ port: 80 })));
    assert.deepEqual(found, { containers: [], undeclared: [[80, 'TCP', 'Service shop/web']] });
  });

  it('shows no name that no container declares: it leads nowhere', () => {
    const found = targets(web(app), to('web', ports({ port: 80, targetPort: 'https' })));
    assert.deepEqual(found, { containers: [], undeclared: [] });
  });

  it('shows a container once, by its first Service and port', () => {
    const port = { port: 80, targetPort: 8080 };
    const [a, b] = [to('a', ports(port, { ...port, name: 'second' })), to('b', ports(port))];
    for (const order of [
      [a, b],
      [b, a],
    ]) {
      const found = targets(web(app), ...order);
      assert.deepEqual(found.containers, [['app', 8080, 'Service shop/a port 80']]);
    }
  });

  it('shows every container that declares the target', () => {
    const twin = { ...app, name: 'twin' };
    const found = targets(web(app, twin), to('web', ports({ port: 80, targetPort: 'http' })));
    assert.deepEqual(
      found.containers.map(([name]) => name),
      ['app', 'twin'],
    );
  });

  it('follows no Service for metrics only, and none without ports', () => {
    const none = { containers: [], undeclared: [] };
    assert.deepEqual(targets(web(app), to('web-metrics', ports({ port: 8080 }))), none);
    assert.deepEqual(targets(web(app), to('web')), none);
  });

  it('finds nothing where the template is not known', () => {
    const found = targets(withSpec({}), to('web', ports({ port: 80 }, {})));
    assert.deepEqual(found.containers, []);
    assert.deepEqual(found.undeclared, [
      [80, 'TCP', 'Service shop/web'],
      [0, 'TCP', 'Service shop/web'],
    ]);
  });
});
