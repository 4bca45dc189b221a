/** A pod template as large as those that teams deploy: most of an API server's bytes are pods. */

export interface TemplateOptions {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Makes some templates lack what others have. */
  readonly variant: number;
}

export function podTemplate({ name, namespace, labels, variant }: TemplateOptions) {
  const has = (n: number) => variant % n !== 0;
  const selector = { labelSelector: { matchLabels: labels }, whenUnsatisfiable: 'ScheduleAnyway' };
  return {
    metadata: {
      labels: { ...labels, team: namespace, 'app.kubernetes.io/version': '2.14.1' },
      annotations: {
        'checksum/config': '9b74c9897bac770ffc029102a200c5de'.repeat(2),
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': '9090',
      },
    },
    spec: {
      terminationGracePeriodSeconds: 45,
      securityContext: { runAsNonRoot: true, runAsUser: 1001, fsGroup: 1001 },
      ...(has(4) && {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', ...selector },
          { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', ...selector },
        ],
      }),
      containers: [
        container(name, namespace, probes(has)),
        ...(variant % 2 === 0 ? [proxy(namespace)] : []),
      ],
      volumes: [
        { name: 'settings', configMap: { name: 'settings-1' } },
        { name: 'certificates', secret: { secretName: `${name}-tls`, optional: true } },
        { name: 'scratch', emptyDir: { sizeLimit: '1Gi' } },
      ],
    },
  };
}

function probes(has: (n: number) => boolean) {
  const get = (path: string) => ({ httpGet: { path, port: 'http' }, timeoutSeconds: 3 });
  return {
    ...(has(7) && { readinessProbe: { ...get('/ready'), periodSeconds: 5 } }),
    ...(has(3) && { livenessProbe: { ...get('/live'), failureThreshold: 6 } }),
    ...(has(2) && { startupProbe: { ...get('/live'), failureThreshold: 24 } }),
  };
}

function container(name: string, namespace: string, ownProbes: object) {
  const variable = (key: string, n: number) => ({
    name: key,
    value: `https://${key.toLowerCase().replaceAll('_', '-')}-${n}.${namespace}.example.com:8443/v1`,
  });
  const keys = ['AUTH_URL', 'CATALOG_URL', 'EVENTS_URL', 'LEDGER_URL', 'MAIL_URL', 'SEARCH_URL'];
  const secret = (key: string) => ({
    name: key,
    valueFrom: { secretKeyRef: { name: `${name}-credentials`, key, optional: true } },
  });
  const field = (key: string, fieldPath: string) => ({
    name: key,
    valueFrom: { fieldRef: { fieldPath } },
  });
  return {
    name,
    image: `registry.example.com/${namespace}/${name}:2.14.1`,
    args: ['--config=/etc/app/application.properties', '--log-format=json', '--listen=:8080'],
    ports: [
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9090 },
    ],
    env: [
      ...keys.map(variable),
      ...['DATABASE_PASSWORD', 'SESSION_KEY', 'SMTP_PASSWORD'].map(secret),
      field('POD_NAME', 'metadata.name'),
      field('POD_NAMESPACE', 'metadata.namespace'),
      field('NODE_NAME', 'spec.nodeName'),
    ],
    resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '512Mi' } },
    ...ownProbes,
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'settings', mountPath: '/etc/app', readOnly: true },
      { name: 'certificates', mountPath: '/etc/tls', readOnly: true },
      { name: 'scratch', mountPath: '/tmp' },
    ],
  };
}

function proxy(namespace: string) {
  return {
    name: 'proxy',
    image: 'registry.example.com/platform/proxy:1.31.0',
    args: ['proxy', '--domain', `${namespace}.svc.cluster.local`, '--concurrency', '2'],
    ports: [{ name: 'admin', containerPort: 15000 }],
    env: [{ name: 'MESH_ID', value: 'example' }],
    resources: { requests: { cpu: '20m', memory: '32Mi' }, limits: { memory: '128Mi' } },
    readinessProbe: { httpGet: { path: '/healthz/ready', port: 15021 }, periodSeconds: 10 },
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
    volumeMounts: [{ name: 'scratch', mountPath: '/var/run/proxy' }],
  };
}
