/** The running components of one sandbox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argumentsOf, type ComponentName, type Layout } from './components.ts';
import { SandboxError } from './errors.ts';
import { type Guarded, startService } from './processes.ts';

export interface ControlPlane {
  /** Aborted when a component ends by itself; the reason names it and quotes its log. */
  readonly failure: AbortSignal;
  start(component: ComponentName, extraArgs?: readonly string[]): void;
  signal(component: ComponentName, name: NodeJS.Signals): void;
  kill(component: ComponentName): Promise<void>;
  logFile(component: ComponentName): string;
  stop(): Promise<void>;
}

export interface ControlPlaneOptions extends Layout {
  readonly binaries: Readonly<Record<ComponentName, string>>;
}

export function createControlPlane(options: ControlPlaneOptions): ControlPlane {
  const running = new Map<ComponentName, Guarded>();
  const failure = new AbortController();
  const logFile = (component: ComponentName) => join(options.directory, `${component}.log`);
  const kill = async (component: ComponentName) => {
    const process = running.get(component);
    // Forgotten first: its end is now no failure.
    running.delete(component);
    await process?.kill();
  };
  return {
    failure: failure.signal,
    start: (component, extraArgs = []) => {
      if (running.has(component)) throw new SandboxError(`${component} is already running`);
      const binary = options.binaries[component];
      const command = [binary, ...argumentsOf(component, options), ...extraArgs];
      const process = startService(command, logFile(component));
      running.set(component, process);
      process.ended.then(({ code, signal }) => {
        if (running.get(component) !== process) return;
        running.delete(component);
        const how = `${component} (${binary}) ended with ${signal ?? `status ${code}`}`;
        failure.abort(new SandboxError(`${how}; the end of its log:\n${tail(logFile(component))}`));
      });
    },
    signal: (component, name) => {
      running.get(component)?.child.kill(name);
    },
    kill,
    logFile,
    stop: async () => {
      await Promise.all([...running.keys()].map(kill));
    },
  };
}

function tail(file: string): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.slice(-8).join('\n');
}
