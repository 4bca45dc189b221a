/** The checks of checks/nodes, as mocha tests. */
import { suite } from './suite.ts';

await suite('nodes');
