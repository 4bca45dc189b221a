/** Fixtures say what checks read. An API server wants to know more of an object before it stores it. */
import type { Manifest } from './fixture.ts';

/** In this namespace, with what any object of its kind has, and without what a server says itself. */
export function storable(object: Manifest, namespace: string | undefined): Manifest {
  const { apiVersion, kind, metadata, status: _, spec, ...rest } = object;
  const { name, labels, annotations } = metadata;
  const webhooks = rest['webhooks'];
  return {
    ...rest,
    ...(Array.isArray(webhooks) && { webhooks: webhooks.map(callable) }),
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels && { labels }),
      ...(annotations !== undefined && { annotations }),
    },
    ...(spec && { spec: complete(runnable(kind, spec)) }),
  };
}

/** What an API server wants to know before it calls anybody. */
const callable = (webhook: unknown) => ({
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...asFields(webhook),
});

type Fields = Readonly<Record<string, unknown>>;

/** Every container has an image. */
function complete(fields: Fields): Fields {
  const members = Object.entries(fields).map(([key, value]) => {
    const isContainers = key === 'containers' || key === 'initContainers';
    return [key, isContainers ? listOf(value).map(withImage) : completed(value)];
  });
  return Object.fromEntries(members);
}

function completed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(completed);
  return isFields(value) ? complete(value) : value;
}

const withImage = (container: unknown) => ({
  image: 'registry.example/app',
  ...asFields(container),
});

/** Fixtures do not say what a Job runs, nor a CronJob when. */
function runnable(kind: string, spec: Fields): Fields {
  const { jobTemplate, template } = spec;
  switch (kind) {
    case 'CronJob':
      return {
        schedule: '@daily',
        ...spec,
        jobTemplate: { ...asFields(jobTemplate), spec: runnable('Job', inner(jobTemplate)) },
      };
    case 'Job': {
      const pod = { restartPolicy: 'Never', containers: [{ name: 'app' }], ...inner(template) };
      return { ...spec, template: { ...asFields(template), spec: pod } };
    }
    default:
      return spec;
  }
}

const asFields = (value: unknown): Fields => (isFields(value) ? value : {});
const inner = (value: unknown): Fields => asFields(asFields(value)['spec']);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
