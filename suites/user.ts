/** The checks of suites that are not shipped, as mocha tests. */
import { suites } from '../checks/index.ts';
import { current } from './current.ts';
import { suite } from './suite.ts';

const { checks } = await current();
const own = new Set(checks.map((check) => check.suite).filter((name) => !suites.includes(name)));
for (const name of own) await suite(name);
