/** The checks of checks/scheduling, as mocha tests. */
import { suite } from './suite.ts';

await suite('scheduling');
