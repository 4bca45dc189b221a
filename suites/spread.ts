/** The checks of checks/spread, as mocha tests. */
import { suite } from './suite.ts';

await suite('spread');
