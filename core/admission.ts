/** Admission webhooks with their defaults, and which requests they are asked about. */
import type { Artifacts, Collection } from './artifacts.ts';
import type { WebhookConfiguration, WebhookRule } from './objects.ts';
import type { Scope } from './scope.ts';
import type { Labels } from './selector.ts';
import { matches } from './selector.ts';

type Declared = NonNullable<WebhookConfiguration['webhooks']>[number];

export interface Webhook extends Declared {
  readonly configuration: WebhookConfiguration;
  readonly name: string;
  readonly rules: readonly WebhookRule[];
  readonly failurePolicy: string;
  readonly matchPolicy: string;
  readonly timeoutSeconds: number;
}

// The defaults changed with v1, to stricter ones.
const defaults = { failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10 };
const oldDefaults = { failurePolicy: 'Ignore', matchPolicy: 'Exact', timeoutSeconds: 30 };

/** In the order of their configurations; none where these could not be read. */
export function webhooksOf(
  configurations: Collection<WebhookConfiguration> | undefined,
): readonly Webhook[] {
  return (configurations?.all ?? []).flatMap((configuration) => {
    const { apiVersion, webhooks = [] } = configuration;
    const unset = apiVersion.endsWith('/v1') ? defaults : oldDefaults;
    return webhooks.map((webhook) => ({
      name: '',
      rules: [],
      ...unset,
      ...webhook,
      configuration,
    }));
  });
}

export interface ServedWebhook extends Webhook {
  readonly service: string;
}

/** Those that are asked about anything, and by a Service of the scope's namespace. */
export function servedWebhooks(
  artifacts: Artifacts<(typeof configurationKinds)[number]>,
  scope: Scope,
): readonly ServedWebhook[] {
  return configurationKinds
    .flatMap((kind) => webhooksOf(artifacts[kind]))
    .flatMap((webhook) => {
      const { namespace, name: service } = serviceOf(webhook) ?? {};
      const isServed = namespace === scope.namespace && service !== undefined;
      return isServed && webhook.rules.length > 0 ? [{ ...webhook, service }] : [];
    });
}

/** Where a URL leads nobody knows: one namespace, default, stands for them all. */
export function urlWebhooks(
  artifacts: Artifacts<(typeof configurationKinds)[number]>,
  { namespace }: Scope,
): readonly Webhook[] {
  if (namespace !== 'default') return [];
  return configurationKinds
    .flatMap((kind) => webhooksOf(artifacts[kind]))
    .filter((webhook) => webhook.rules.length > 0 && !serviceOf(webhook));
}

export const configurationKinds = [
  'mutatingWebhookConfigurations',
  'validatingWebhookConfigurations',
] as const;

/** A request that it should have seen is refused when it does not answer. */
export function isBlocking({ failurePolicy }: Webhook): boolean {
  return failurePolicy === 'Fail';
}

export const serviceOf = ({ clientConfig }: Webhook) => clientConfig?.service;

/** What a client asks of the API server. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE';
  readonly group: string;
  /** The served versions; clients use the first one. */
  readonly versions: readonly [string, ...string[]];
  /** `pods`, `pods/status`. */
  readonly resource: string;
  /** The labels of the object's namespace; absent where it is in none. */
  readonly namespaceLabels?: Labels;
  readonly labels: Labels;
}

/** Whether a webhook is asked about a request to anything but a Namespace. */
export function intercepts(webhook: Webhook, request: AdmissionRequest): boolean {
  const { namespaceSelector = {}, objectSelector = {}, matchPolicy, rules } = webhook;
  const { namespaceLabels, labels, versions } = request;
  if (namespaceLabels && !matches(namespaceSelector, namespaceLabels)) return false;
  if (!matches(objectSelector, labels)) return false;
  // A rule that names another served version of the resource is applied to that.
  const named = matchPolicy === 'Equivalent' ? versions : versions.slice(0, 1);
  return rules.some((rule) => named.some((version) => covers(rule, version, request)));
}

function covers(rule: WebhookRule, version: string, request: AdmissionRequest): boolean {
  const { operations, apiGroups, apiVersions, resources = [], scope = '*' } = rule;
  return (
    includes(operations, request.operation) &&
    includes(apiGroups, request.group) &&
    includes(apiVersions, version) &&
    resources.some((resource) => coversResource(resource, request.resource)) &&
    (scope === '*' || scope === (request.namespaceLabels ? 'Namespaced' : 'Cluster'))
  );
}

function includes(items: readonly string[] = [], wanted: string): boolean {
  return items.includes('*') || items.includes(wanted);
}

/** `*` is every resource without its subresources, and `pods/*` the pods and all of theirs. */
function coversResource(rule: string, requested: string): boolean {
  const [resource, subresource] = rule.split('/');
  const [wanted, part] = requested.split('/');
  return (resource === '*' || resource === wanted) && (subresource === '*' || subresource === part);
}
