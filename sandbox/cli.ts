/** `npm run sandbox -- up|down|status`: a sandbox for people, which stays until it is taken down. */
import { parseArgs } from 'node:util';
import { start, status, stop } from './commands.ts';
import { messageOf, SandboxError } from './errors.ts';
import { type EstateName, estates } from './estates.ts';
import { type HoldOptions, hold } from './holder.ts';
import { type TopologyName, topologies } from './topologies.ts';

const help = `Usage: npm run sandbox -- <command> [options]

A real Kubernetes control plane on this machine, with nodes and pods that KWOK
plays.

Commands:
  up        start one; it stays until it is taken down
  down      take it down, and leave nothing behind
  status    list those that were started from this directory

Options:
  --name N        which one (up and down: default)
  --estate E      up: what runs in it: ${Object.keys(estates).join(', ')} (nothing)
  --topology T    up: its nodes (ha):
                  ${Object.keys(topologies).join(', ')}
  --openshift     up: serve OpenShift's definitions, with the objects of a
                  healthy platform
  --all           down: all of them
  --help

The kubeconfig is .sandbox/<name>.kubeconfig. Programs are taken from
KUBEBUILDER_ASSETS or PATH, else built with Go into the user's cache directory,
once.

Exit status: 0 done; 1 status: none is up; 2 it could not be done.
`;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  const [command, ...rest] = positionals;
  if (values.help) return print(help);
  if (rest.length > 0) throw new SandboxError(`unexpected: ${rest.join(' ')}`);
  switch (command) {
    case 'up':
      return print(await start(holdOptions(values), import.meta.filename));
    // The other side of `up`, in a process of its own; no command for people.
    case 'hold':
      await hold(holdOptions(values));
      return 0;
    case 'down':
      return print(await stop(values.all ? undefined : (values.name ?? 'default')));
    case 'status': {
      const { text, isUp } = await status(values.name);
      print(text);
      return isUp ? 0 : 1;
    }
    default:
      throw new SandboxError(
        `${command ? `unknown command ${command}` : 'a command is missing'}: up, down or status; see --help`,
      );
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        estate: { type: 'string' },
        topology: { type: 'string' },
        openshift: { type: 'boolean' },
        all: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new SandboxError(`${messageOf(error)}; see --help`, { cause: error });
  }
}

type Values = ReturnType<typeof parse>['values'];

function holdOptions(values: Values): HoldOptions {
  const { name = 'default', topology = 'ha', estate, openshift = false } = values;
  if (!/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(name)) {
    throw new SandboxError(`--name ${name}: up to 40 lower-case letters, digits and dashes`);
  }
  if (!isTopology(topology)) throw unknown('topology', topology, topologies);
  if (estate === undefined) return { name, topology, openshift };
  if (!isEstate(estate)) throw unknown('estate', estate, estates);
  return { name, topology, estate, openshift: openshift || estates[estate].openshift };
}

function isTopology(name: string): name is TopologyName {
  return Object.hasOwn(topologies, name);
}

function isEstate(name: string): name is EstateName {
  return Object.hasOwn(estates, name);
}

function unknown(what: string, name: string, known: object): SandboxError {
  return new SandboxError(`unknown ${what} ${name}: expected ${Object.keys(known).join(', ')}`);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SandboxError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
