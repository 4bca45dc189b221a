/** The checks of checks/shutdown, as mocha tests. */
import { suite } from './suite.ts';

await suite('shutdown');
