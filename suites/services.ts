/** The checks of checks/services, as mocha tests. */
import { suite } from './suite.ts';

await suite('services');
