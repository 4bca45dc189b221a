/** What of a kubeconfig is read; client-go ignores what it does not know, and so does this. */
import { z } from 'zod';

const text = z.string('expected a string');
const flag = z.boolean('expected true or false');

const cluster = z.object({
  server: text,
  'certificate-authority': text.optional(),
  'certificate-authority-data': text.optional(),
  'insecure-skip-tls-verify': flag.optional(),
  'tls-server-name': text.optional(),
  'proxy-url': text.optional(),
});

const exec = z.looseObject({
  apiVersion: text.optional(),
  command: text,
  args: z.array(text).optional(),
  env: z.array(z.object({ name: text, value: text })).optional(),
  provideClusterInfo: flag.optional(),
});

const user = z.object({
  token: text.optional(),
  tokenFile: text.optional(),
  'client-certificate': text.optional(),
  'client-certificate-data': text.optional(),
  'client-key': text.optional(),
  'client-key-data': text.optional(),
  username: text.optional(),
  password: text.optional(),
  as: text.optional(),
  'as-uid': text.optional(),
  'as-groups': z.array(text).optional(),
  'as-user-extra': z.record(text, z.array(text)).optional(),
  exec: exec.optional(),
  'auth-provider': z.looseObject({ name: text }).optional(),
});

const named = <K extends string, S extends z.ZodType>(key: K, schema: S) =>
  z
    .array(z.object({ name: text, [key]: schema } as { name: typeof text } & Record<K, S>))
    .refine(namesAreUnique, 'two entries have one name')
    .default([]);

const namesAreUnique = (entries: readonly object[]) =>
  new Set(entries.map((entry) => 'name' in entry && entry.name)).size === entries.length;

export const kubeconfigSchema = z.object({
  'current-context': text.optional(),
  clusters: named('cluster', cluster),
  users: named('user', user.default({})),
  contexts: named('context', z.object({ cluster: text.optional(), user: text.optional() })),
});

export type Kubeconfig = z.infer<typeof kubeconfigSchema>;
