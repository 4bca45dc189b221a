/** The exceptions that ship with the package, one file for each platform. */
import { fileURLToPath } from 'node:url';

/** `sandbox` is for the embedded cluster and the tests. */
export type ShippedExceptions = 'kubernetes' | 'openshift' | 'sandbox';

/** Named relative to the package, so that reports do not depend on where it is installed. */
export function shippedExceptions(platform: ShippedExceptions): {
  readonly path: string;
  readonly name: string;
} {
  const name = `exceptions/${platform}.yaml`;
  return { path: fileURLToPath(new URL(`${platform}.yaml`, import.meta.url)), name };
}
