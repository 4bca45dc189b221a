/** The checks of checks/storage, as mocha tests. */
import { suite } from './suite.ts';

await suite('storage');
