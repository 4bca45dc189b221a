/** Records the estate that npm start shows, for where no sandbox can be had. */
import path from 'node:path';
import { main } from '../cli/main.ts';
import { up } from '../sandbox/up.ts';

const file = path.join(import.meta.dirname, '..', 'sandbox', 'recorded', 'ha.ndjson.zst');

await using sandbox = await up({ name: 'recorded', estate: 'ha', topology: 'ha' });
const { kubeconfig } = sandbox.files;
await main(['run', '--kubeconfig', kubeconfig, '--record', file, '--settle-wait', '0', '--quiet']);
