/** Who writes the reports. */
import { readFileSync } from 'node:fs';

// Beside the sources in a checkout, one folder higher up in the built package.
const candidates = ['../package.json', '../../package.json'];

function readPackage(): { readonly name: string; readonly version: string } {
  for (const candidate of candidates) {
    try {
      const text = readFileSync(new URL(candidate, import.meta.url), 'utf8');
      const { name, version } = JSON.parse(text);
      if (name === 'ha-compliance') return { name, version };
    } catch {
      // The other place has it.
    }
  }
  return { name: 'ha-compliance', version: 'unknown' };
}

export const tool = readPackage();
