/** The checks of checks/disruption, as mocha tests. */
import { suite } from './suite.ts';

await suite('disruption');
