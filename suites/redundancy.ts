/** The checks of checks/redundancy, as mocha tests. */
import { suite } from './suite.ts';

await suite('redundancy');
