/** Finds exceptions that say the same twice, or contradict each other about the same objects. */
import type { Position, Problem } from '../config/problems.ts';
import type { Exception } from './exception.ts';

export interface Located {
  readonly exception: Exception;
  readonly file: string;
  readonly position: Position;
}

/** A later entry never overrides an earlier one without a word: it is a problem, at the later one. */
export function repeatsAmong(entries: readonly Located[]): readonly Problem[] {
  const first = new Map<string, Exception>();
  const problems = new Map<Located, Problem>();
  for (const entry of entries) {
    const { exception, file, position } = entry;
    for (const target of targetsOf(exception)) {
      const former = first.get(target);
      if (former) problems.set(entry, { file, position, text: repetition(exception, former) });
      else first.set(target, exception);
    }
  }
  return [...problems.values()];
}

/** One text for each namespace that is named; entries for different releases or platforms differ. */
function targetsOf(exception: Exception): readonly string[] {
  const { check, kind, name, namePattern, container, namespacePattern, releases } = exception;
  return (exception.namespace ?? [undefined]).map((namespace) =>
    JSON.stringify({
      check,
      namespace: namespace ?? namespacePattern?.text,
      kind,
      name: name ?? namePattern?.text,
      container,
      releases: releases?.split(/ +/).toSorted(),
      topologies: exception.topologies?.toSorted(),
      platforms: exception.platforms?.map((platform) => platform.toLowerCase()).toSorted(),
    }),
  );
}

function repetition(exception: Exception, former: Exception): string {
  const [here, there] = [agreementOf(exception), agreementOf(former)];
  return here === there
    ? `says the same of the same objects as ${former.at}`
    : `contradicts ${former.at} about the same objects: ${here} here, ${there} there`;
}

function agreementOf({ state, jira, source }: Exception): string {
  return [state, jira, source].filter((part) => part !== undefined).join(' ');
}
