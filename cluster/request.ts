/** Asks an API server until it answers: which failures pass, how long to wait, what is left to say. */
import { setTimeout } from 'node:timers/promises';
import pLimit from 'p-limit';
import { KnownError, MissingError } from '../core/errors.ts';
import type { Answer, Lists } from './connect.ts';
import { reasonOf } from './status.ts';

export interface RequestLimits {
  /** Ends everything: the deadline of the run, or a signal. */
  readonly signal: AbortSignal;
  /** Milliseconds that one attempt may take. */
  readonly attemptTimeout: number;
  /** Attempts beyond the first. */
  readonly retries: number;
  /** Requests at a time: enough to keep an API server busy, few enough not to crowd out others. */
  readonly concurrency: number;
  /** Hears why a request is made again. */
  readonly onRetry?: ((why: string) => void) | undefined;
}

export const defaultLimits = { attemptTimeout: 60_000, retries: 7, concurrency: 4 };

/** Asks for a path; answers with 2xx, 404 or 410, or throws MissingError with its cause. */
export type Ask = (path: string, accept: string) => Promise<Answer>;

/** Milliseconds after an outage in which a server may still refuse what it allows otherwise. */
const recovery = 30_000;

export function asker(connection: Lists, limits: RequestLimits): Ask {
  const limit = pLimit(limits.concurrency);
  let lastOutage = Number.NEGATIVE_INFINITY;

  return async (path, accept) => {
    for (let attempt = 0; ; attempt++) {
      const tried = await limit(() => once(connection, path, accept, limits));
      if (!('error' in tried)) return tried;
      const { error, isOutage = false, isRefusal = false, retryAfter } = tried;
      // A server that just came up knows no roles and no service accounts for a moment.
      const isRecovering = performance.now() - lastOutage < recovery;
      if (isOutage) lastOutage = performance.now();
      const isPassing = tried.isPassing || (isRecovering && isRefusal);
      if (!isPassing || attempt >= limits.retries) throw error;
      limits.onRetry?.(error.message);
      await pause(retryAfter ?? backoff(attempt), limits.signal, error);
    }
  };
}

interface Failure {
  readonly error: MissingError;
  /** Another attempt may succeed. */
  readonly isPassing: boolean;
  /** The server itself was not there. */
  readonly isOutage?: true;
  /** The server said no. */
  readonly isRefusal?: true;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter?: number;
}

async function once(
  connection: Lists,
  path: string,
  accept: string,
  limits: RequestLimits,
): Promise<Answer | Failure> {
  const attempt = AbortSignal.timeout(limits.attemptTimeout);
  try {
    const signal = AbortSignal.any([limits.signal, attempt]);
    const answer = await connection.get(path, accept, signal);
    return judge(answer);
  } catch (cause) {
    return unanswered(cause, attempt, limits);
  }
}

function judge(answer: Answer): Answer | Failure {
  const { status } = answer;
  if (status < 300 || status === 404 || status === 410) return answer;
  const text = `could not be listed: ${status} ${reasonOf(answer)}`;
  if (status === 401 || status === 403) {
    return { error: new MissingError('forbidden', text), isPassing: false, isRefusal: true };
  }
  if (status === 429 || status >= 500) {
    const cause = status === 429 ? 'throttled' : status === 504 ? 'timeout' : 'unavailable';
    const retryAfter = waitOf(answer);
    return {
      error: new MissingError(cause, text),
      isPassing: true,
      ...(status === 429 ? {} : { isOutage: true }),
      ...(retryAfter !== undefined && { retryAfter }),
    };
  }
  return { error: new MissingError('malformed', text), isPassing: false };
}

function unanswered(cause: unknown, attempt: AbortSignal, limits: RequestLimits): Failure {
  if (limits.signal.aborted) {
    return { error: new MissingError('timeout', 'was cut short', { cause }), isPassing: false };
  }
  if (attempt.aborted) {
    const text = `could not be listed: no answer within ${limits.attemptTimeout / 1000} s`;
    return { error: new MissingError('timeout', text, { cause }), isPassing: true };
  }
  // Credentials that were there at the start are not any more.
  if (cause instanceof KnownError) {
    return { error: new MissingError('forbidden', cause.message, { cause }), isPassing: false };
  }
  const code = codeOf(cause);
  return {
    error: new MissingError('unavailable', `could not be listed: ${code}`, { cause }),
    isPassing: !isLasting(code),
    isOutage: true,
  };
}

function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // A proxy's refusal is in the words only.
  const isNamed = 'code' in cause && typeof cause.code === 'string' && cause.code !== aborted;
  return isNamed ? String(cause.code) : cause.message;
}

const aborted = 'UND_ERR_ABORTED';

/** Names that do not resolve, certificates that are not trusted and a proxy's no stay so for this run. */
function isLasting(code: string): boolean {
  return /^ENOTFOUND$|CERT|SIGNATURE|ERR_TLS|ERR_SSL|UND_ERR_PRX_TLS|UND_ERR_INVALID_ARG|^Proxy response \(4/.test(
    code,
  );
}

/** Seconds or a date; a server that asks for more than half a minute is not waited for that long. */
function waitOf({ headers }: Answer): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), 30_000);
}

/** 0.1 s, 0.2 s … 12.8 s: about 25 s over all attempts. */
const backoff = (attempt: number) => 100 * 2 ** attempt;

async function pause(milliseconds: number, signal: AbortSignal, error: MissingError) {
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch {
    // Cut short while waiting: what went wrong before is the better reason.
    throw error;
  }
}
