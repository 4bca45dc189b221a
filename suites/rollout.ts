/** The checks of checks/rollout, as mocha tests. */
import { suite } from './suite.ts';

await suite('rollout');
