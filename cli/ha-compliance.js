#!/usr/bin/env node
// Starts the command: the sources in a checkout, what was built from them in an installed package.
import process from 'node:process';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`ha-compliance needs Node 22.19 or newer, found ${process.version}\n`);
  process.exit(2);
}
const { enableCompileCache } = await import('node:module');
enableCompileCache();
// Node strips types from the files of a checkout, but from none below node_modules.
const isInstalled = import.meta.dirname.split(/[\\/]/).includes('node_modules');
const { main } = await import(isInstalled ? '../dist/cli/main.js' : './main.ts');
// At once: a credential plugin that was given up may still wait for a person.
process.exit(await main(process.argv.slice(2)));
