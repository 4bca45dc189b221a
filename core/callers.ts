/** Whom the API server, routers and gateways call: an absence there is an outage for somebody else. */
import type { Artifacts, Collection } from './artifacts.ts';
import type { T, usesOfT } from './kinds.ts';
import { once } from './memo.ts';
import type { GatewayRoute, WebhookConfiguration } from './objects.ts';
import type { Scope } from './scope.ts';

export type TrafficArtifacts = Artifacts<(typeof T)[number], (typeof usesOfT)[number]>;

/** The names of the Services of a namespace that API server, router or gateway call. */
export const calledServices = once(
  (artifacts: TrafficArtifacts, scope: Scope): ReadonlySet<string> => {
    const { namespace } = scope;
    const callees: readonly (
      | { readonly namespace?: string; readonly name?: string }
      | undefined
    )[] = [
      ...webhookServices(artifacts.validatingWebhookConfigurations, isBlocking),
      // A mutating webhook that is ignored when it is down still leaves objects as nobody wants them.
      ...webhookServices(artifacts.mutatingWebhookConfigurations, () => true),
      ...(artifacts.apiServices?.all ?? []).map(({ spec }) => spec?.service),
      ...[...routeTargets(artifacts, scope)].map((name) => ({
        ...(namespace && { namespace }),
        name,
      })),
      ...(artifacts.gatewayRoutes?.all ?? []).flatMap(gatewayTargets),
    ];
    const own = callees.filter((callee) => callee?.namespace === namespace);
    return new Set(own.flatMap((callee) => (callee?.name === undefined ? [] : [callee.name])));
  },
);

type Webhook = NonNullable<WebhookConfiguration['webhooks']>[number];

function webhookServices(
  configurations: Collection<WebhookConfiguration> | undefined,
  counts: (webhook: Webhook, apiVersion: string) => boolean,
) {
  return (configurations?.all ?? []).flatMap(({ apiVersion, webhooks = [] }) =>
    webhooks
      .filter((webhook) => counts(webhook, apiVersion))
      .map((webhook) => webhook.clientConfig?.service),
  );
}

// The default changed with v1: a webhook without a policy is Fail there, Ignore in v1beta1.
function isBlocking({ failurePolicy }: Webhook, apiVersion: string): boolean {
  return (failurePolicy ?? (apiVersion.endsWith('/v1') ? 'Fail' : 'Ignore')) === 'Fail';
}

function* routeTargets(artifacts: TrafficArtifacts, { namespace }: Scope) {
  for (const { spec = {} } of artifacts.routes?.in(namespace) ?? []) {
    for (const { kind = 'Service', name } of [spec.to ?? {}, ...(spec.alternateBackends ?? [])]) {
      if (kind === 'Service' && name !== undefined) yield name;
    }
  }
  for (const { spec = {} } of artifacts.ingresses?.in(namespace) ?? []) {
    const paths = (spec.rules ?? []).flatMap(({ http }) => http?.paths ?? []);
    for (const backend of [spec.defaultBackend, ...paths.map((path) => path.backend)]) {
      if (backend?.service?.name !== undefined) yield backend.service.name;
    }
  }
}

function gatewayTargets({ metadata, spec = {} }: GatewayRoute) {
  return (spec.rules ?? [])
    .flatMap(({ backendRefs = [] }) => backendRefs)
    .filter(({ group, kind = 'Service' }) => !group && kind === 'Service')
    .map(({ name, namespace = metadata.namespace }) => ({
      ...(namespace !== undefined && { namespace }),
      ...(name !== undefined && { name }),
    }));
}
