/** The programs of the control plane and how each is told what to do. */
import { join } from 'node:path';

export type ComponentName =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kwok';

/** What of a sandbox its components are told. File names are those of `directory`. */
export interface Layout {
  readonly directory: string;
  readonly ports: Ports;
  /** Configuration files of kwok: its stages. */
  readonly stages: readonly string[];
}

export interface Ports {
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly 'kube-apiserver': number;
}

const host = '127.0.0.1';
const faster = ['--kube-api-qps=1000', '--kube-api-burst=2000'];

/**
 * etcd is reached by certificates of this sandbox's own authority only: an API server whose etcd could not
 * bind its port must not find the etcd of another sandbox there and serve its data.
 */
export function argumentsOf(component: ComponentName, layout: Layout): readonly string[] {
  const { ports } = layout;
  const file = (name: string) => join(layout.directory, name);
  switch (component) {
    case 'etcd':
      return [
        `--data-dir=${file('etcd')}`,
        '--unsafe-no-fsync',
        '--log-level=warn',
        `--listen-client-urls=https://${host}:${ports.etcd}`,
        `--advertise-client-urls=https://${host}:${ports.etcd}`,
        `--listen-peer-urls=http://${host}:${ports.etcdPeer}`,
        `--initial-advertise-peer-urls=http://${host}:${ports.etcdPeer}`,
        `--initial-cluster=default=http://${host}:${ports.etcdPeer}`,
        `--cert-file=${file('serving.crt')}`,
        `--key-file=${file('serving.key')}`,
        '--client-cert-auth',
        `--trusted-ca-file=${file('ca.crt')}`,
      ];
    case 'kube-apiserver':
      return [
        `--bind-address=${host}`,
        `--secure-port=${ports['kube-apiserver']}`,
        `--tls-cert-file=${file('serving.crt')}`,
        `--tls-private-key-file=${file('serving.key')}`,
        `--client-ca-file=${file('ca.crt')}`,
        `--token-auth-file=${file('tokens.csv')}`,
        '--authorization-mode=Node,RBAC',
        `--etcd-servers=https://${host}:${ports.etcd}`,
        `--etcd-cafile=${file('ca.crt')}`,
        `--etcd-certfile=${file('etcd-client.crt')}`,
        `--etcd-keyfile=${file('etcd-client.key')}`,
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-key-file=${file('service-account.key')}`,
        `--service-account-signing-key-file=${file('service-account.key')}`,
        '--service-cluster-ip-range=10.96.0.0/16',
        // A loopback address is no endpoint, and there is nobody who would reach one.
        '--endpoint-reconciler-type=none',
        '--external-hostname=127.0.0.1',
        '--allow-privileged',
      ];
    case 'kube-controller-manager':
      return [
        `--kubeconfig=${file('kubeconfig')}`,
        '--leader-elect=false',
        '--secure-port=0',
        `--root-ca-file=${file('ca.crt')}`,
        `--service-account-private-key-file=${file('service-account.key')}`,
        // The first look at an autoscaler comes only after one period.
        '--horizontal-pod-autoscaler-sync-period=2s',
        ...faster,
      ];
    case 'kube-scheduler':
      return [
        `--kubeconfig=${file('kubeconfig')}`,
        '--leader-elect=false',
        '--secure-port=0',
        ...faster,
      ];
    case 'kwok':
      return [
        `--kubeconfig=${file('kubeconfig')}`,
        '--manage-all-nodes',
        '--node-lease-duration-seconds=40',
        '--cidr=10.244.0.0/16',
        ...layout.stages.map((stage) => `--config=${stage}`),
      ];
    default:
      return component satisfies never;
  }
}
