/** A finding on a probe: where it stands, and what of it should change. */
import { finding, templatePatch } from './finding.ts';
import type { NamedProbe, Probeable } from './probe.ts';
import type { Finding } from './result.ts';
import type { Workload } from './workload.ts';

interface ProbeObservation {
  readonly probe: NamedProbe['name'];
  /** The field of the probe that is at fault; the whole probe without it. */
  readonly field?: string;
  readonly message: string;
  readonly change?: Readonly<Record<string, unknown>> | undefined;
}

export function probeFinding(
  workload: Workload,
  { container: { name = '' }, list }: Probeable,
  { probe, field, message, change }: ProbeObservation,
): Finding {
  const path = `spec.template.spec.${list}[${name}].${probe}Probe`;
  return finding(workload, {
    container: name,
    path: field === undefined ? path : `${path}.${field}`,
    message,
    shows: `{.spec.template.spec.${list}[*].${probe}Probe}`,
    patch: change && templatePatch(workload, { [list]: [{ name, [`${probe}Probe`]: change }] }),
  });
}
