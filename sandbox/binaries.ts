/** Where the programs of the control plane come from. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { buildPrograms, type FetchOptions, type Programs } from './modules.ts';

const kubernetes: Programs = {
  folder: 'kubernetes',
  path: 'k8s.io/kubernetes',
  programs: {
    'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
    'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
    'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
    kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  },
  variables: (version) => {
    const [major = '', minor = ''] = version.slice(1).split('.');
    const values = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
    // Two copies of the variables: the servers read the first, kubectl's library the second.
    return ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((library) =>
      Object.entries(values).map(([name, value]) => `${library}.${name}=${value}`),
    );
  },
};

const etcd: Programs = {
  folder: 'etcd',
  path: 'go.etcd.io/etcd/server/v3',
  programs: { etcd: 'go.etcd.io/etcd/server/v3' },
};

const kwok: Programs = {
  folder: 'kwok',
  path: 'sigs.k8s.io/kwok',
  programs: { kwok: 'sigs.k8s.io/kwok/cmd/kwok' },
};

const sources = {
  etcd,
  'kube-apiserver': kubernetes,
  'kube-controller-manager': kubernetes,
  'kube-scheduler': kubernetes,
  kwok,
  kubectl: kubernetes,
} as const;

type ProgramName = keyof typeof sources;

export type Binaries = Readonly<Record<ProgramName, string>>;

export async function findBinaries(options: FetchOptions): Promise<Binaries> {
  const find = (name: ProgramName) => findBinary(name, options);
  // One after the other: a build takes all processors that there are.
  return {
    etcd: await find('etcd'),
    'kube-apiserver': await find('kube-apiserver'),
    'kube-controller-manager': await find('kube-controller-manager'),
    'kube-scheduler': await find('kube-scheduler'),
    kwok: await find('kwok'),
    kubectl: await find('kubectl'),
  };
}

/** Path of a program: in KUBEBUILDER_ASSETS, else on PATH, else in the cache, built into it if need be. */
export async function findBinary(name: ProgramName, options: FetchOptions): Promise<string> {
  const given = await findGiven(name, options.env);
  return given ?? join(await buildPrograms(sources[name], options), name);
}

/** A program that the user has brought. */
export async function findGiven(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const directories = [env['KUBEBUILDER_ASSETS'] ?? '', ...(env['PATH'] ?? '').split(delimiter)];
  for (const directory of directories.filter((directory) => directory !== '')) {
    const path = join(directory, name);
    if (await isProgram(path)) return path;
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
