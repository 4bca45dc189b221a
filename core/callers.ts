/** Whom the API server, routers and gateways call: an absence there is an outage for somebody else. */
import { isBlocking, serviceOf, webhooksOf } from './admission.ts';
import type { Artifacts } from './artifacts.ts';
import type { T, usesOfT } from './kinds.ts';
import { once } from './memo.ts';
import type { GatewayRoute } from './objects.ts';
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
      ...webhooksOf(artifacts.validatingWebhookConfigurations).filter(isBlocking).map(serviceOf),
      // A mutating webhook that is ignored when it is down still leaves objects as nobody wants them.
      ...webhooksOf(artifacts.mutatingWebhookConfigurations).map(serviceOf),
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
