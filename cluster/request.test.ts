import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, it } from 'mocha';
import type { ErrorCause } from '../core/errors.ts';
import { KnownError, MissingError } from '../core/errors.ts';
import { connectTo } from '../test/kubeconfigs.ts';
import { answer, inTurn, reset, resetInBody, silence, standIn } from '../test/stand-in.ts';
import type { Lists } from './connect.ts';
import type { RequestLimits } from './request.ts';
import { asker, defaultLimits } from './request.ts';

const patient: RequestLimits = {
  ...defaultLimits,
  retries: 2,
  signal: new AbortController().signal,
};
const status = (reason: string, message: string) => ({ kind: 'Status', reason, message });
const now = { 'retry-after': '0' };
const ok = answer(200, { ok: true });

/** Asks once for something that is answered so, in turn; and how many attempts it took. */
async function ask(
  answers: readonly [RequestListener, ...RequestListener[]],
  limits: Partial<RequestLimits> = {},
) {
  await using server = await standIn(inTurn(...answers));
  await using connection = await connectTo({ server: server.server });
  const started = performance.now();
  const asked = asker(connection, { ...patient, ...limits });
  const outcome = await asked('/api/v1/pods', 'application/json').then(
    (answer) => ({ status: answer.status }),
    (error: unknown) => {
      assert.ok(error instanceof MissingError, String(error));
      return { missing: error.missing, message: error.message };
    },
  );
  const milliseconds = performance.now() - started;
  return { outcome, attempts: server.requests.length, milliseconds };
}

/** A connection on which requests fail so, in turn; the last way from then on. */
const failing = (...errors: readonly unknown[]): Lists & { attempts: number } => ({
  name: 'test',
  server: 'https://api.example.com',
  attempts: 0,
  get() {
    const error = errors[Math.min(this.attempts++, errors.length - 1)];
    return Promise.reject(error);
  },
});
const coded = (code: string) => Object.assign(new Error('words'), { code });

describe('asker', () => {
  for (const code of [200, 204, 404, 410]) {
    it(`takes ${code} for an answer`, async () => {
      const { outcome, attempts } = await ask([answer(code)]);
      assert.deepEqual([outcome, attempts], [{ status: code }, 1]);
    });
  }

  const passing: readonly (readonly [number, ErrorCause])[] = [
    [429, 'throttled'],
    [500, 'unavailable'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [504, 'timeout'],
  ];
  for (const [code, cause] of passing) {
    it(`asks again after ${code}, and says ${cause} when it does not pass`, async () => {
      const refusal = answer(code, status('Busy', 'try later'), now);
      const passed = await ask([refusal, refusal, ok]);
      assert.deepEqual([passed.outcome, passed.attempts], [{ status: 200 }, 3]);
      const lasting = await ask([refusal]);
      const message = `could not be listed: ${code} Busy: try later`;
      assert.deepEqual([lasting.outcome, lasting.attempts], [{ missing: cause, message }, 3]);
    });
  }

  const final: readonly (readonly [number, ErrorCause])[] = [
    [301, 'malformed'],
    [400, 'malformed'],
    [403, 'forbidden'],
    [406, 'malformed'],
  ];
  for (const [code, cause] of final) {
    it(`takes ${code} for the last word: ${cause}`, async () => {
      const { outcome, attempts } = await ask([answer(code, status('No', 'because')), ok]);
      const message = `could not be listed: ${code} No: because`;
      assert.deepEqual([outcome, attempts], [{ missing: cause, message }, 1]);
    });
  }

  it('takes 401 for the last word when new credentials do not help', async () => {
    const refusal = answer(401, status('Unauthorized', 'who are you'));
    const { outcome, attempts } = await ask([refusal, refusal, ok]);
    const message = 'could not be listed: 401 Unauthorized: who are you';
    assert.deepEqual([outcome, attempts], [{ missing: 'forbidden', message }, 2]);
  });

  it('counts the page of a proxy by its status only', async () => {
    const page = answer(502, '<html><b>Bad gateway</b></html>', {
      'content-type': 'text/html',
      ...now,
    });
    const { outcome } = await ask([page]);
    const message = 'could not be listed: 502 without a reason';
    assert.deepEqual(outcome, { missing: 'unavailable', message });
  });

  describe('waits', () => {
    const refusal = (wait: string) => answer(429, status('Busy', 'wait'), { 'retry-after': wait });
    const waited = async (wait: string) => (await ask([refusal(wait), ok])).milliseconds;

    it('as many seconds as the server asks for', async () => {
      const milliseconds = await waited('1');
      assert.ok(milliseconds > 990 && milliseconds < 5000, String(milliseconds));
    });

    it('until the time that the server names', async () => {
      const inAnHour = refusal(new Date(Date.now() + 3_600_000).toUTCString());
      const signal = AbortSignal.timeout(300);
      assert.equal((await ask([inAnHour, ok], { signal })).attempts, 1);
      const longAgo = refusal(new Date(0).toUTCString());
      const past = await ask([longAgo], { retries: 6 });
      assert.equal(past.attempts, 7);
      assert.ok(past.milliseconds < 3000, String(past.milliseconds));
    });

    it('a moment that doubles where the server asks for nothing it can understand', async () => {
      const { milliseconds } = await ask([refusal('soon'), answer(503), ok]);
      assert.ok(milliseconds > 295 && milliseconds < 5000, String(milliseconds));
    });

    it('not at all when the run ends, and then says what went wrong before', async () => {
      const signal = AbortSignal.timeout(100);
      const { outcome, attempts, milliseconds } = await ask([refusal('3600'), ok], { signal });
      assert.deepEqual(outcome, {
        missing: 'throttled',
        message: 'could not be listed: 429 Busy: wait',
      });
      assert.equal(attempts, 1);
      assert.ok(milliseconds < 1000, String(milliseconds));
    });
  });

  describe('when no answer comes', () => {
    it('asks again after a reset', async () => {
      const { outcome, attempts } = await ask([reset, reset, ok]);
      assert.deepEqual([outcome, attempts], [{ status: 200 }, 3]);
    });

    it('asks again after a reset in the middle of an answer', async () => {
      const { outcome, attempts } = await ask([resetInBody, ok]);
      assert.deepEqual([outcome, attempts], [{ status: 200 }, 2]);
    });

    it('says so when it is always so', async () => {
      for (const fault of [reset, resetInBody]) {
        const { outcome, attempts } = await ask([fault]);
        assert.equal(attempts, 3);
        assert.ok('missing' in outcome);
        assert.equal(outcome.missing, 'unavailable');
        assert.match(outcome.message, /^could not be listed: (ECONNRESET|UND_ERR_SOCKET)$/);
      }
    });

    it('gives up one attempt, and then another', async () => {
      const limits = { attemptTimeout: 50 };
      const passed = await ask([silence, ok], limits);
      assert.deepEqual([passed.outcome, passed.attempts], [{ status: 200 }, 2]);
      const { outcome, attempts } = await ask([silence], { ...limits, retries: 1 });
      const message = 'could not be listed: no answer within 0.05 s';
      assert.deepEqual([outcome, attempts], [{ missing: 'timeout', message }, 2]);
    });

    it('gives up an answer that does not end', async () => {
      const slow: RequestListener = (_, response) => void response.write('{');
      const { outcome } = await ask([slow, ok], { attemptTimeout: 50 });
      assert.deepEqual(outcome, { status: 200 });
    });

    it('ends at once when the run does', async () => {
      const signal = AbortSignal.timeout(50);
      const { outcome, attempts, milliseconds } = await ask([silence], { signal });
      const cut = { missing: 'timeout', message: 'was cut short' };
      assert.deepEqual([outcome, attempts], [cut, 1]);
      assert.ok(milliseconds < 1000);
      const never = await ask([ok], { signal: AbortSignal.abort() });
      assert.deepEqual([never.outcome, never.attempts], [cut, 0]);
    });

    const codes: Readonly<Record<string, number>> = {
      ECONNREFUSED: 2,
      EAI_AGAIN: 2,
      UND_ERR_CONNECT_TIMEOUT: 2,
      ENOTFOUND: 1,
      CERT_HAS_EXPIRED: 1,
      DEPTH_ZERO_SELF_SIGNED_CERT: 1,
      UNABLE_TO_VERIFY_LEAF_SIGNATURE: 1,
      ERR_TLS_CERT_ALTNAME_INVALID: 1,
      ERR_SSL_WRONG_VERSION_NUMBER: 1,
      UND_ERR_INVALID_ARG: 1,
    };
    for (const [code, attempts] of Object.entries(codes)) {
      it(`${attempts > 1 ? 'asks again after' : 'does not repeat'} ${code}`, async () => {
        const connection = failing(coded(code));
        const asked = asker(connection, { ...patient, retries: 1 });
        const message = `could not be listed: ${code}`;
        await assert.rejects(asked('/', ''), { missing: 'unavailable', message });
        assert.equal(connection.attempts, attempts);
      });
    }

    it('says in words what has no code', async () => {
      const limits = { ...patient, retries: 0 };
      const cases = [
        [new Error('socket hang up'), 'socket hang up'],
        [coded('UND_ERR_ABORTED'), 'words'],
        ['a text', 'a text'],
      ] as const;
      for (const [error, words] of cases) {
        const asked = asker(failing(error), limits);
        await assert.rejects(asked('/', ''), { message: `could not be listed: ${words}` });
      }
    });

    it('names no token that cannot be sent', async () => {
      const user = { token: 'eyJ\nsecret' };
      await using connection = await connectTo({ server: 'https://127.0.0.1:1', user });
      const asked = asker(connection, patient);
      await assert.rejects(asked('/', ''), (error) => {
        assert.ok(error instanceof MissingError);
        assert.equal(error.message, 'could not be listed: UND_ERR_INVALID_ARG');
        assert.ok(!/eyJ|secret/.test(inspect(error, { depth: 9, showHidden: true })));
        return true;
      });
    });
  });

  describe('after an outage', () => {
    const forbidden = answer(403, status('Forbidden', 'no roles yet'));
    const unauthorized = answer(401, status('Unauthorized', 'who are you'));
    const down = answer(503, {}, now);

    for (const [what, refusal] of Object.entries({ forbidden, unauthorized })) {
      it(`asks again when it is ${what}: a server that just came up knows no roles`, async () => {
        const { outcome } = await ask([down, refusal, refusal, ok], { retries: 3 });
        assert.deepEqual(outcome, { status: 200 });
      });
    }

    it('remembers it for other requests', async () => {
      await using server = await standIn(inTurn(reset, ok, forbidden, ok));
      await using connection = await connectTo({ server: server.server });
      const asked = asker(connection, patient);
      for (const _ of [1, 2]) assert.equal((await asked('/', '')).status, 200);
      assert.equal(server.requests.length, 4);
    });

    it('takes a refusal for the last word in the end', async () => {
      const { outcome, attempts } = await ask([down, forbidden]);
      const message = 'could not be listed: 403 Forbidden: no roles yet';
      assert.deepEqual([outcome, attempts], [{ missing: 'forbidden', message }, 3]);
    });

    it('does not count being throttled as one', async () => {
      const { outcome, attempts } = await ask([answer(429, {}, now), forbidden, ok]);
      assert.equal('missing' in outcome && outcome.missing, 'forbidden');
      assert.equal(attempts, 2);
    });

    it('does not ask again without credentials', async () => {
      const gone = new KnownError('KUBECONFIG', 'context "x": credentials cannot be had');
      const connection = failing(coded('ECONNRESET'), gone);
      await assert.rejects(asker(connection, patient)('/', ''), {
        missing: 'forbidden',
        message: gone.message,
      });
      assert.equal(connection.attempts, 2);
    });
  });

  it('sends no more requests at a time than it may', async () => {
    let running = 0;
    let most = 0;
    const counting: RequestListener = async (request, response) => {
      most = Math.max(most, ++running);
      await setTimeout(5);
      running--;
      ok(request, response);
    };
    await using server = await standIn(counting);
    await using connection = await connectTo({ server: server.server });
    const asked = asker(connection, { ...patient, concurrency: 3 });
    await Promise.all(Array.from({ length: 20 }, () => asked('/', '')));
    assert.equal(server.requests.length, 20);
    assert.equal(most, 3);
  });
});
