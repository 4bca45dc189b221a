/** The custom resource definitions of OpenShift that the sandbox can serve. */
import { join } from 'node:path';
import { type Manifest, readManifestFile } from './manifests.ts';
import { type FetchOptions, fetchFiles } from './modules.ts';

const payload = 'payload-manifests/crds';
const generated = 'config/v1/zz_generated.crd-manifests';

const files = [
  // The Default variant refuses the topology DualReplica.
  `${payload}/0000_10_config-operator_01_infrastructures-CustomNoUpgrade.crd.yaml`,
  `${payload}/0000_80_machine-config_01_machineconfigpools-Default.crd.yaml`,
  `${generated}/0000_00_cluster-version-operator_01_clusterversions-Default.crd.yaml`,
  `${generated}/0000_00_cluster-version-operator_01_clusteroperators.crd.yaml`,
];

export async function openshiftDefinitions(options: FetchOptions): Promise<readonly Manifest[]> {
  const module = { folder: 'openshift-api', path: 'github.com/openshift/api', files };
  const directory = await fetchFiles(module, options);
  const read = await Promise.all(files.map((file) => readManifestFile(join(directory, file))));
  return read.flat();
}
