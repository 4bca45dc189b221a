/** How a pod stops: its grace period, and what a hook before SIGTERM does with it. */
import type { Container, PodSpec } from './objects.ts';

/** Seconds from the deletion of a pod to SIGKILL. To the API server a negative number is 1. */
export function graceSeconds({ terminationGracePeriodSeconds: seconds = 30 }: PodSpec): number {
  return seconds < 0 ? 1 : seconds;
}

type PreStop = NonNullable<NonNullable<Container['lifecycle']>['preStop']>;

/**
 * Seconds that a hook sleeps before anything else; undefined when that cannot be seen. Of commands
 * only the words that tell are kept.
 */
export function sleepSeconds({ sleep, exec }: PreStop): number | undefined {
  if (sleep) return sleep.seconds ?? 0;
  const [program = '', ...words] = exec?.command ?? [];
  if (/^(.*\/)?sleep$/.test(program)) return words.length === 1 ? duration(words[0]) : undefined;
  const [flag = '', text = ''] = words;
  if (!/^(.*\/)?(ba|da|a)?sh$/.test(program) || !/^-[a-z]*c$/.test(flag)) return undefined;
  return duration(/^sleep (\S+?)(;|$)/.exec(text)?.[1]);
}

function duration(text = ''): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([smhd])?$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * secondsIn(unit);
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
