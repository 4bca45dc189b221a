/** How a pod stops: its grace period, and what a hook before SIGTERM does with it. */
import type { Container, PodSpec } from './objects.ts';

/** Seconds from the deletion of a pod to SIGKILL. To the API server a negative number is 1. */
export function graceSeconds({ terminationGracePeriodSeconds: seconds = 30 }: PodSpec): number {
  return seconds < 0 ? 1 : seconds;
}

type PreStop = NonNullable<NonNullable<Container['lifecycle']>['preStop']>;

/** How long a hook sleeps before anything else. */
export interface Sleep {
  readonly seconds: number;
  /** The hook does nothing beside it. */
  readonly isAll: boolean;
}

/** Undefined when it cannot be seen: of commands only the words that tell are kept. */
export function sleepOf({ sleep, exec }: PreStop): Sleep | undefined {
  if (sleep) return { seconds: sleep.seconds ?? 0, isAll: true };
  const [program = '', ...words] = exec?.command ?? [];
  if (/^(.*\/)?sleep$/.test(program)) return words.length === 1 ? timed(words[0]) : undefined;
  const [flag = '', text = ''] = words;
  if (!/^(.*\/)?(ba|da|a)?sh$/.test(program) || !/^-[a-z]*c$/.test(flag)) return undefined;
  const [, time, more] = /^sleep (\S+?)(;.*)?$/.exec(text) ?? [];
  return timed(time, more === undefined);
}

function timed(time = '', isAll = true): Sleep | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([smhd])?$/.exec(time) ?? [];
  return number === undefined ? undefined : { seconds: Number(number) * secondsIn(unit), isAll };
}

function secondsIn(unit: string | undefined): number {
  switch (unit) {
    case 'm':
      return 60;
    case 'h':
      return 3600;
    case 'd':
      return 86_400;
    default:
      return 1;
  }
}
