/** The kubeconfig of a sandbox: self-contained, so that it can be copied elsewhere. */
export interface KubeconfigOptions {
  readonly name: string;
  readonly server: string;
  readonly authority: string;
  readonly token: string;
}

/** `authority` is PEM. */
export function kubeconfig({ name, server, authority, token }: KubeconfigOptions): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: ${name}
  cluster:
    server: ${server}
    certificate-authority-data: ${Buffer.from(authority).toString('base64')}
users:
- name: ${name}
  user:
    token: ${token}
contexts:
- name: ${name}
  context:
    cluster: ${name}
    user: ${name}
current-context: ${name}
`;
}
