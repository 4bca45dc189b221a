/** The stages by which KWOK plays kubelets. */
import { join } from 'node:path';
import { type FetchOptions, fetchFiles } from './modules.ts';

const shipped = [
  'kustomize/stage/node/fast/node-initialize.yaml',
  'kustomize/stage/node/heartbeat-with-lease/node-heartbeat-with-lease.yaml',
  'kustomize/stage/pod/fast/pod-ready.yaml',
  'kustomize/stage/pod/fast/pod-delete.yaml',
];

/** Paths of KWOK's own stages, and of the one that takes the place of its pod-complete. */
export async function findStages(options: FetchOptions): Promise<readonly string[]> {
  const module = { folder: 'kwok', path: 'sigs.k8s.io/kwok', files: shipped };
  const directory = await fetchFiles(module, options);
  return [
    ...shipped.map((file) => join(directory, file)),
    join(import.meta.dirname, 'stages', 'pod-complete.yaml'),
  ];
}
