/** The files by which the components of one sandbox, and no other, know each other. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Authority, createAuthority, createSigningKey } from './certificates.ts';
import { kubeconfig } from './kubeconfig.ts';
import { createToken, type StaticUser, tokenFile } from './tokens.ts';

export interface CredentialsOptions {
  readonly name: string;
  readonly directory: string;
  readonly server: string;
  readonly users: readonly StaticUser[];
}

export interface SandboxCredentials {
  readonly authority: Authority;
  /** The administrator's. */
  readonly token: string;
  readonly kubeconfig: string;
  /** PEM. */
  readonly serviceAccountKey: string;
}

const administrator = { name: 'sandbox-admin', groups: ['system:masters'] };

export function writeCredentials(options: CredentialsOptions): SandboxCredentials {
  const authority = createAuthority('sandbox-ca');
  const serving = authority.serving(['127.0.0.1', 'localhost', 'kubernetes.default.svc']);
  const etcdClient = authority.client('kube-apiserver');
  const token = createToken();
  const serviceAccountKey = createSigningKey();
  const config = kubeconfig({ ...options, authority: authority.certificate, token });
  const files = {
    'ca.crt': authority.certificate,
    'serving.crt': serving.certificate,
    'serving.key': serving.key,
    'etcd-client.crt': etcdClient.certificate,
    'etcd-client.key': etcdClient.key,
    'service-account.key': serviceAccountKey,
    'tokens.csv': tokenFile([{ ...administrator, token }, ...options.users]),
    kubeconfig: config,
  };
  mkdirSync(options.directory, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(options.directory, name), content, { mode: 0o600 });
  }
  return { authority, token, kubeconfig: config, serviceAccountKey };
}
