/** What the API server must ask before it lets a request through answers, whichever node goes. */
import type { ServedWebhook, Webhook } from '../../../core/admission.ts';
import {
  configurationKinds,
  isBlocking,
  servedWebhooks,
  serviceOf,
  urlWebhooks,
  webhooksOf,
} from '../../../core/admission.ts';
import { redundantCallee, weaknessesOf } from '../../../core/backend-weakness.ts';
import { defineCheck } from '../../../core/check.ts';
import { finding } from '../../../core/finding.ts';
import { A, N, usesOfA, usesOfN, usesOfW, W } from '../../../core/kinds.ts';
import { isNowhere, restsNowhere } from '../../../core/nowhere.ts';
import type { WebhookConfiguration } from '../../../core/objects.ts';
import { redundantWorkloads } from '../../../core/population.ts';
import type { Finding } from '../../../core/result.ts';
import { count, names, title } from '../../../core/text.ts';

export default defineCheck({
  id: 'webhook-availability',
  title: 'Backends of blocking webhooks survive a node loss',
  failureTitle: 'A node loss makes a webhook reject API requests',
  testName: 'webhook backends in ns/<namespace> should survive the loss of a node',
  suite: 'services',
  scope: 'namespace',
  severity: 'critical',
  stage: 'flake',
  source: [
    {
      title: 'Admission Webhook Good Practices',
      url: 'https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/',
    },
  ],
  requires: [...W, ...A, ...N, 'services', ...configurationKinds],
  uses: [
    ...usesOfW,
    ...usesOfA,
    ...usesOfN,
    'podDisruptionBudgets',
    'endpointSlices',
    'namespaces',
  ],
  redundant: true,
  breaks:
    'With failurePolicy Fail every matching create or update in the cluster is refused until the ' +
    'backend is back.',
  fix:
    'Run two replicas on different nodes and a PodDisruptionBudget, or set failurePolicy Ignore; ' +
    'wait 5 s for an answer.',
  run(artifacts, scope) {
    const population = redundantWorkloads(artifacts, scope);
    const groups = bySource(servedWebhooks(artifacts, scope)).flatMap((group) => {
      const callee = redundantCallee(group.service, artifacts, scope);
      return callee ? [{ ...group, callee }] : [];
    });
    const findings = groups.flatMap(({ configuration, webhooks, callee }) => {
      const blocking = webhooks.filter(isBlocking).length;
      if (blocking === 0) return [];
      const callers = { title: titleOf(blocking), isPlural: blocking > 1 };
      return weaknessesOf({ ...callee, callers }, artifacts, scope).map((weakness) =>
        finding(configuration, weakness),
      );
    });
    const nowhere = configurationKinds
      .flatMap((kind) => webhooksOf(artifacts[kind]))
      .filter((webhook) => isBlocking(webhook) && webhook.rules.length > 0)
      .flatMap((webhook) => {
        const service = serviceOf(webhook) ?? {};
        return isNowhere(service, artifacts.namespaces, scope)
          ? [{ ...webhook, place: title({ kind: 'Service', name: '', ...service }) }]
          : [];
      });
    const judged = groups.flatMap(({ webhooks }) => webhooks);
    const { webhookTimeoutMax } = scope.cluster.thresholds;
    const outside = groups
      .filter(({ callee }) => callee.isUnknown)
      .map(({ configuration, service }) =>
        note(configuration, `what is behind Service ${scope.namespace}/${service} is not judged`),
      );
    const byUrl = urlWebhooks(artifacts, scope).map(({ configuration, name }) =>
      note(configuration, `${name} is called by URL, not judged`),
    );
    return {
      ...population,
      examined: judged.length + nowhere.length,
      findings: [...findings, ...lost(nowhere), ...tooSlow(judged, webhookTimeoutMax)],
      notes: [...population.notes, ...outside, ...byUrl],
    };
  },
});

/** A configuration may hold webhooks of several Services. */
function bySource(webhooks: readonly ServedWebhook[]) {
  return [...Map.groupBy(webhooks, ({ configuration }) => configuration)].flatMap(
    ([configuration, own]) =>
      [...Map.groupBy(own, ({ service }) => service)].map(([service, group]) => ({
        configuration,
        service,
        webhooks: group,
      })),
  );
}

const titleOf = (blocking: number) => `${count(blocking, 'webhook')} with failurePolicy Fail`;

/** What is left of a component whose namespace was deleted. */
function lost(webhooks: readonly (Webhook & { readonly place: string })[]): readonly Finding[] {
  return [...Map.groupBy(webhooks, ({ configuration }) => configuration)].flatMap(
    ([configuration, all]) =>
      [...Map.groupBy(all, ({ place }) => place)].map(([place, own]) =>
        finding(configuration, restsNowhere(titleOf(own.length), place)),
      ),
  );
}

/** Whatever the policy is, it applies only when the wait is over. */
function tooSlow(webhooks: readonly Webhook[], max: number): readonly Finding[] {
  const slow = webhooks.filter(({ timeoutSeconds }) => timeoutSeconds > max);
  return [...Map.groupBy(slow, ({ configuration }) => configuration)].map(
    ([configuration, own]) => {
      const longest = Math.max(...own.map(({ timeoutSeconds }) => timeoutSeconds));
      const waiting = names(own.map(({ name }) => name));
      return finding(configuration, {
        path: 'webhooks[*].timeoutSeconds',
        message: `requests wait up to ${longest} s for ${waiting}; at most ${max} s`,
        shows: '{.webhooks[*].timeoutSeconds}',
        patch: { webhooks: own.map(({ name }) => ({ name, timeoutSeconds: Math.min(5, max) })) },
      });
    },
  );
}

const note = ({ kind, metadata: { name } }: WebhookConfiguration, text: string) =>
  `${title({ kind, name })}: ${text}`;
