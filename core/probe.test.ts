import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  detectSeconds,
  handlerOf,
  longestPeriod,
  probeable,
  probesOf,
  resolvePort,
  startBudget,
} from './probe.ts';

describe('probeable', () => {
  it('holds regular containers and native sidecars, not what runs to completion', () => {
    const spec = {
      containers: [{ name: 'web' }],
      initContainers: [{ name: 'migrate' }, { name: 'proxy', restartPolicy: 'Always' }],
    };
    assert.deepEqual(
      probeable(spec).map(({ list, container }) => [list, container.name]),
      [
        ['containers', 'web'],
        ['initContainers', 'proxy'],
      ],
    );
  });

  it('is empty where no template is known', () => {
    assert.deepEqual(probeable({}), []);
  });
});

describe('probesOf', () => {
  it('names those that a container has', () => {
    const [readiness, liveness, startup] = [{ periodSeconds: 1 }, { periodSeconds: 2 }, {}];
    const container = {
      startupProbe: startup,
      livenessProbe: liveness,
      readinessProbe: readiness,
    };
    assert.deepEqual(probesOf({}), []);
    assert.deepEqual(probesOf(container), [
      { name: 'readiness', probe: readiness },
      { name: 'liveness', probe: liveness },
      { name: 'startup', probe: startup },
    ]);
  });
});

describe('startBudget', () => {
  const startupProbe = { initialDelaySeconds: 5, periodSeconds: 2, failureThreshold: 10 };
  const livenessProbe = { initialDelaySeconds: 20, periodSeconds: 15, failureThreshold: 4 };

  it('is what the startup probe gives, whatever liveness says', () => {
    assert.equal(startBudget({ startupProbe, livenessProbe }), 25);
  });

  it('is what liveness gives without a startup probe', () => {
    assert.equal(startBudget({ livenessProbe }), 80);
  });

  it('takes the defaults of the API server', () => {
    assert.equal(startBudget({ livenessProbe: {} }), 30);
    assert.equal(startBudget({ startupProbe: { failureThreshold: 30 } }), 300);
    assert.equal(startBudget({}), 30);
  });
});

describe('detectSeconds', () => {
  it('is all the failures that it takes, and the last timeout', () => {
    assert.equal(detectSeconds({ periodSeconds: 60, timeoutSeconds: 3 }), 183);
    assert.equal(detectSeconds({ periodSeconds: 5, timeoutSeconds: 2, failureThreshold: 4 }), 22);
  });

  it('takes the defaults of the API server, and no delay', () => {
    assert.equal(detectSeconds({ initialDelaySeconds: 90 }), 31);
  });

  it('is stretched by a timeout longer than the period', () => {
    assert.equal(longestPeriod({ periodSeconds: 5, timeoutSeconds: 20 }), 20);
    assert.equal(detectSeconds({ periodSeconds: 5, timeoutSeconds: 20 }), 80);
  });
});

describe('resolvePort', () => {
  const container = {
    ports: [
      { name: 'http', containerPort: 8080 },
      { name: 'dns', containerPort: 53, protocol: 'UDP' },
    ],
  };
  const cases = [
    [8443, 8443],
    ['http', 8080],
    ['dns', 53],
    ['8080', 8080],
    ['htpp', 'htpp'],
    ['web-8080', 'web-8080'],
    [undefined, undefined],
  ] as const;
  for (const [port, number] of cases) {
    it(`makes ${number} of ${JSON.stringify(port)}`, () => {
      assert.equal(resolvePort(port, container), number);
    });
  }

  it('knows no names where no ports are declared', () => {
    assert.equal(resolvePort('http', {}), 'http');
  });
});

describe('handlerOf', () => {
  const container = { ports: [{ name: 'http', containerPort: 8080 }] };
  const same = (a: object, b: object) => handlerOf(a, container) === handlerOf(b, container);
  const get = (fields: object) => ({ httpGet: { port: 8080, ...fields } });

  it('is undefined without any', () => {
    assert.equal(handlerOf({}, container), undefined);
  });

  it('fills in what the API server would', () => {
    assert.ok(same(get({}), get({ path: '/', scheme: 'HTTP' })));
  });

  it('resolves names of ports', () => {
    assert.ok(same(get({}), get({ port: 'http' })));
    assert.ok(same({ tcpSocket: { port: 8080 } }, { tcpSocket: { port: 'http' } }));
    assert.ok(!same(get({ port: 'one' }), get({ port: 'two' })));
    assert.ok(same(get({ port: 'one' }), get({ port: 'one' })));
  });

  it('compares all that an HTTP probe asks for', () => {
    const headers = (name: string, value: string) => ({ httpHeaders: [{ name, value }] });
    const others = [{ port: 8081 }, { path: '/livez' }, { scheme: 'HTTPS' }, { host: '127.0.0.1' }];
    for (const other of [...others, headers('Host', '#0001')])
      assert.ok(!same(get({}), get(other)));
    assert.ok(!same(get(headers('Host', '#0001')), get(headers('Host', '#0002'))));
    assert.ok(!same(get(headers('Host', '#0001')), get(headers('Accept', '#0001'))));
    assert.ok(same(get(headers('Host', '#0001')), get(headers('host', '#0001'))));
  });

  it('does not mind the order of headers', () => {
    const httpHeaders = [
      { name: 'Host', value: '#0001' },
      { name: 'Accept', value: '#0002' },
    ];
    assert.ok(same(get({ httpHeaders }), get({ httpHeaders: httpHeaders.toReversed() })));
  });

  it('compares commands word by word', () => {
    assert.ok(same({ exec: { command: ['#0001'] } }, { exec: { command: ['#0001'] } }));
    assert.ok(!same({ exec: { command: ['#0001'] } }, { exec: { command: ['#0002'] } }));
  });

  it('compares hosts of sockets, and services of gRPC', () => {
    assert.ok(!same({ tcpSocket: { port: 80 } }, { tcpSocket: { port: 80, host: '127.0.0.1' } }));
    assert.ok(same({ grpc: { port: 80 } }, { grpc: { port: 80 } }));
    assert.ok(!same({ grpc: { port: 80 } }, { grpc: { port: 81 } }));
    assert.ok(!same({ grpc: { port: 80 } }, { grpc: { port: 80, service: 'ready' } }));
  });

  it('tells types apart', () => {
    assert.ok(!same({ tcpSocket: { port: 8080 } }, get({})));
    assert.ok(!same({ tcpSocket: { port: 8080 } }, { grpc: { port: 8080 } }));
  });
});
