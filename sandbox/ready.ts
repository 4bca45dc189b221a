/** Waiting for the API server and for the nodes. */
import { z } from 'zod';
import type { Client } from './client.ts';
import { messageOf } from './errors.ts';
import { isReady, list } from './objects.ts';
import { until } from './until.ts';

export interface ReadyOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly timeout: number;
}

/** Waits for an API server that answers. Only this sandbox's own can: another has no such certificate. */
export async function serverReady({ client, signal, timeout }: ReadyOptions): Promise<void> {
  await until(
    async () => {
      try {
        const { status, body } = await client.send({ method: 'GET', path: '/readyz' });
        return status === 200 ? undefined : `the API server says ${status}: ${String(body)}`;
      } catch (error) {
        return messageOf(error);
      }
    },
    { signal, timeout },
  );
}

const versionSchema = z.looseObject({ gitVersion: z.string() });

export async function serverVersion(client: Client): Promise<string> {
  const body = await client.demand({ method: 'GET', path: '/version' });
  return versionSchema.parse(body).gitVersion;
}

/** Waits until pods can be placed on every node. */
export async function nodesReady({ client, signal, timeout }: ReadyOptions): Promise<void> {
  await until(
    async () => {
      const nodes = await list(client, '/api/v1/nodes');
      const waiting = nodes.filter((node) => !isReady(node) || node.spec.taints.some(isTransient));
      const names = waiting.map(({ metadata }) => metadata.name).join(', ');
      return waiting.length === 0 ? undefined : `nodes that are not ready: ${names}`;
    },
    { signal, timeout },
  );
}

/** The node controller takes these off once a node has reported. */
function isTransient({ key }: { readonly key: string }): boolean {
  return key.startsWith('node.kubernetes.io/');
}
