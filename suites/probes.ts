/** The checks of checks/probes, as mocha tests. */
import { suite } from './suite.ts';

await suite('probes');
