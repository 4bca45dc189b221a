import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Config } from '../config/schema.ts';
import type { ErrorCause } from '../core/errors.ts';
import type { Kind } from '../core/kinds.ts';
import { kinds } from '../core/kinds.ts';
import type { Report, Result } from '../core/result.ts';
import { exitStatus } from '../reports/exit-status.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { up } from '../sandbox/up.ts';
import { command } from './command.ts';
import type { Answer, Edge, EdgeOptions, EdgeRequest, Rule } from './edge.ts';
import { startEdge } from './edge.ts';
import { kubeconfig, trusting } from './kubeconfigs.ts';
import { allow } from './permissions.ts';
import { reportsIn } from './reports.ts';
import { run } from './run.ts';
import { assertBarred, counterpart, isInapplicable, requiredBy, usedBy } from './unread.ts';
import type { Workspace } from './workspace.ts';
import { workspace } from './workspace.ts';

const reader = { name: 'reader', token: 'token-of-the-reader' };
const restricted = { name: 'restricted', token: 'token-of-the-restricted-reader' };
const blind = { name: 'blind', token: 'token-of-the-blind-reader' };

describe('a fault of the API server, or on the way to it', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let space: Workspace;
  /** What the reader finds when nothing is wrong. */
  let reference: Report;

  before(async function () {
    this.timeout(30 * 60_000);
    space = await workspace();
    sandbox = await up({
      name: 'faults',
      estate: 'small',
      topology: 'ha',
      users: [reader, restricted, blind],
      extraArgs: { 'kube-apiserver': ['--etcd-compaction-interval=300ms'] },
    });
    await allow(sandbox, [
      { user: reader.name },
      { user: restricted.name, except: ['podDisruptionBudgets'] },
      { user: blind.name, except: ['leases'] },
    ]);
    reference = await run(await direct());
    assert.equal(reference.complete, true);
    assert.equal(exitStatus(reference), 1);
  });
  after(async () => {
    await sandbox?.down();
    await space?.remove();
  });

  const direct = ({ token } = reader): Promise<Config> => access(sandbox, token);

  async function access(server: Pick<Sandbox, 'server' | 'authority'>, token: string) {
    const text = kubeconfig({ ...trusting(server), user: { token } });
    return { kubeconfig: await space.write('kubeconfig', text) };
  }

  interface Meeting extends EdgeOptions {
    readonly token?: string;
    /** Milliseconds until the run ends. */
    readonly deadline?: number;
  }

  /** A run that meets the rule at the edge. */
  async function meet(rule: Rule, { token = reader.token, deadline, ...options }: Meeting = {}) {
    await using edge = await startEdge(sandbox, rule, options);
    const signal = deadline === undefined ? undefined : AbortSignal.timeout(deadline);
    return { report: await run(await access(edge, token), signal), edge };
  }

  describe('that passes costs nothing', () => {
    it('when it is a storm of 429 that ends', async () => {
      assertComplete(await meet((request) => (request.before < 3 ? tooMany : undefined)));
    });

    it('when the API server itself refuses a user for a while', async () => {
      await sandbox.apply(jail);
      const seen: number[] = [];
      const watched: Rule = async (request) => {
        const answer = await request.pass();
        if (answer.status === 429 && seen.push(answer.status) === 1) {
          await sandbox.kubectl(['delete', 'flowschema', 'jail']);
        }
        return answer;
      };
      // It takes the server a moment to go by the new rule.
      while (seen.length === 0) assertComplete(await meet(watched));
    });

    it('when connections are reset, before an answer and in the middle of a page', async () => {
      const resets: Rule = async (request) => {
        if (request.before === 0) return 'reset';
        return request.before === 1 ? { cutShort: await request.pass() } : undefined;
      };
      assertComplete(await meet(resets, { pageSize: 20 }));
    });

    it('when a token is not accepted at once', async () => {
      const rotated: Rule = (request) =>
        request.before === 0 ? request.pass({ authorization: 'Bearer rotated' }) : undefined;
      assertComplete(await meet(rotated));
    });
  });

  describe('that stays costs what depends on it', () => {
    it('when a list is forbidden: an error that says who may not do what, and exit status 2', async () => {
      const { kubeconfig: file = '' } = await direct(restricted);
      const args = ['run', '--kubeconfig', file, '--out', 'forbidden', '--settle-wait', '0'];
      await space.write('ha-compliance.yaml', 'thresholds: { settle: 0 }\n');
      const { status, stdout } = await command(args, { cwd: space.path });
      assert.equal(status, 2);
      assert.match(stdout, /^INCOMPLETE: \d+ fail, \d+ flake, \d+ error/m);
      const { report } = await reportsIn(space.at('forbidden'));
      assertCost(report, {
        kind: 'podDisruptionBudgets',
        cause: 'forbidden',
        reason:
          /403 Forbidden: poddisruptionbudgets\.policy is forbidden: User "restricted" cannot list resource "poddisruptionbudgets"/,
      });
    });

    it('when evidence is forbidden: a note where it is used, and no other exit status', async () => {
      const report = await run(await direct(blind));
      assertCost(report, { kind: 'leases', cause: 'forbidden' });
      assert.equal(exitStatus(report), 1);
    });

    it('when an API is not served: a skip that names it', async () => {
      const gone: Rule = ({ path }) => (path.includes('/policy/') ? notFound : undefined);
      const { report } = await meet(gone);
      const dependent = requiring('podDisruptionBudgets', report);
      assert.ok(dependent.length > 0);
      for (const { id, verdict, reason } of dependent) {
        assert.deepEqual([id, verdict, reason], [id, 'skip', 'not served: podDisruptionBudgets']);
      }
      // As evidence they are no more than not there.
      assert.deepEqual(others(dependent, report), others(dependent, reference));
      // This one the server itself does not serve.
      const pools = report.results.find(({ id }) => id === 'pool-progress/cluster');
      assert.equal(pools?.reason, 'not served: machineConfigPools');
    });

    it('when a storm of 429 does not end', async () => {
      const { report } = await meet((one) => (isList('services', one) ? tooMany : undefined));
      assertCost(report, { kind: 'services', cause: 'throttled', reason: /429/ });
    });

    it('when a page is always cut short', async () => {
      const cut: Rule = async (request) =>
        isList('deployments', request) ? { cutShort: await request.pass() } : undefined;
      const { report } = await meet(cut, { deadline: 2000 });
      assertCost(report, { kind: 'deployments', cause: 'unavailable' });
    });

    it('when a list breaks off: what is in it counts, and nothing passes', async () => {
      const breaking: Rule = (one) => (isNextPage('pods', one) ? 'reset' : undefined);
      const { report } = await meet(breaking, { pageSize: 5, deadline: 2000 });
      const dependent = requiring('pods', report);
      assert.ok(dependent.some(({ findings }) => findings.length > 0));
      for (const { id, verdict, cause, findings, notes } of dependent) {
        if (findings.length > 0) assert.ok(notes.includes('pods not readable: partial'), id);
        else assert.deepEqual([id, verdict, cause], [id, 'error', 'partial']);
      }
      assert.deepEqual(others(dependent, report), others(dependent, reference));
      assert.equal(exitStatus(report), 2);
    });

    it('when a list is not answered before the run has to end', async () => {
      const silent: Rule = (one) => (isList('cronJobs', one) ? new Promise(() => {}) : undefined);
      const { report } = await meet(silent, { deadline: 2000 });
      assertCost(report, { kind: 'cronJobs', cause: 'timeout', reason: /was cut short/ });
    });

    it('when a token has expired', async () => {
      const token = await expiredToken();
      const report = await run({ ...(await access(sandbox, token)), namespaces: ['kiosk'] });
      assert.deepEqual(report.coverage.evaluated, []);
      assert.ok(report.results.length > 10);
      for (const result of report.results) {
        const { id, verdict, cause, reason = '' } = result;
        // What the name of the namespace tells needs no server.
        if (isOutOfForce(counterpart(result, reference))) {
          assert.deepEqual([id, verdict, reason], [id, 'skip', outOfForce]);
          continue;
        }
        assert.deepEqual([id, verdict, cause], [id, 'error', 'forbidden']);
        assert.match(reason, /401 Unauthorized/);
      }
      assert.equal(exitStatus(report), 2);
    });

    it('when a token has expired and nobody says which namespaces there are', async () => {
      const token = await expiredToken();
      const report = await run({ ...(await access(sandbox, token)), suites: ['redundancy'] });
      assert.deepEqual(report.results, []);
      assert.equal(report.complete, false);
      assert.equal(exitStatus(report), 2);
    });

    it('when a token expires during the run', async () => {
      const authorization = `Bearer ${await expiredToken()}`;
      let isOver = false;
      const expiring: Rule = (request) => {
        isOver ||= isList('statefulSets', request);
        return isOver ? request.pass({ authorization }) : undefined;
      };
      const { report } = await meet(expiring);
      const unread = new Set(report.coverage.notEvaluated.map(({ kind }) => kind));
      assert.ok(unread.has('statefulSets') && !unread.has('pods'));
      assertBarred(report, reference, / error forbidden$/);
      assert.equal(exitStatus(report), 2);
    });
  });

  // etcd's compaction is not noticed in the first seconds of an API server.
  describe('that lets a continue token expire', () => {
    it('costs nothing when it does so once: the list is begun anew', async () => {
      const refusals: Answer[] = [];
      const expiring: Rule = async (request) => {
        if (!isNextPage('pods', request) || refusals.length > 0) return undefined;
        return refusals[refusals.push(await expired(request)) - 1];
      };
      const met = await meet(expiring, { pageSize: 5 });
      assertComplete(met);
      assert.equal(met.edge.requests.filter((one) => isFirstPage('pods', one)).length, 2);
      assertNotTaken(met.edge, refusals);
    });

    it('costs what depends on the list when it does so every time', async () => {
      const refusals: Answer[] = [];
      const expiring: Rule = async (request) => {
        if (!isNextPage('pods', request)) return undefined;
        return refusals[refusals.push(await expired(request)) - 1];
      };
      const { report, edge } = await meet(expiring, { pageSize: 5 });
      const reason = /the continue token expired \(410\) on every attempt/;
      assertCost(report, { kind: 'pods', cause: 'expired', reason });
      assertNotTaken(edge, refusals);
    });
  });

  describe('that kills the API server', () => {
    it('costs nothing when it comes back', async () => {
      let restarted: Promise<void> | undefined;
      const killing: Rule = async (request) => {
        if (!isList('pods', request) || restarted) return undefined;
        await sandbox.kill('kube-apiserver');
        restarted = sandbox.restart('kube-apiserver');
        return 'reset';
      };
      const met = await meet(killing);
      await restarted;
      assertComplete(met);
    });

    it('costs what could not be read when it does not', async () => {
      const killing: Rule = async (request) => {
        if (isList('statefulSets', request)) await sandbox.kill('kube-apiserver');
        return undefined;
      };
      const { report } = await meet(killing, { deadline: 3000 });
      await sandbox.restart('kube-apiserver');
      const unread = new Set(report.coverage.notEvaluated.map(({ kind }) => kind));
      assert.ok(unread.has('statefulSets') && !unread.has('pods'));
      // What nobody had come to when the run ended was cut short, not refused.
      assertBarred(report, reference, / error (unavailable|timeout)$/);
      assert.equal(exitStatus(report), 2);
    });
  });

  /** Results that rest on the kind in some way, where the check applies at all. */
  const dependentOn = (kind: Kind, { results }: Report) =>
    results.filter(
      (result) =>
        [...requiredBy(result.check), ...usedBy(result.check)].includes(kind) &&
        !isInapplicable(counterpart(result, reference)),
    );
  const requiring = (kind: Kind, report: Report) =>
    dependentOn(kind, report).filter(({ check }) => requiredBy(check).includes(kind));

  const assertComplete = ({ report }: { readonly report: Report }) => {
    assert.deepEqual(report.results, reference.results);
    assert.deepEqual(report.coverage, reference.coverage);
    assert.equal(report.complete, true);
  };

  async function expiredToken(): Promise<string> {
    const path = 'jsonpath={.metadata.uid}';
    const uid = await sandbox.kubectl(['get', 'serviceaccount', 'default', '-o', path]);
    const expiresAt = new Date(Date.now() - 120_000);
    return sandbox.serviceAccountToken({ namespace: 'default', name: 'default', uid, expiresAt });
  }

  /** The server's own 410, which comes once etcd has forgotten the state that the token is of. */
  async function expired(request: EdgeRequest): Promise<Answer> {
    for (let n = 0; ; n++) {
      const answer = await request.pass();
      if (answer.status === 410) return answer;
      // etcd forgets only what has been written over.
      const metadata = { name: 'clock', namespace: 'kube-public' };
      await sandbox.apply([
        { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { n: String(n) } },
      ]);
    }
  }

  /** What requires the kind is an error, what uses it says so, and nothing else changes. */
  function assertCost(report: Report, cost: Cost): void {
    const { kind, cause, reason = /./ } = cost;
    const dependent = dependentOn(kind, report);
    assert.ok(dependent.length > 0);
    for (const result of dependent) {
      const { id, check, verdict, cause: found, reason: why = '', notes } = result;
      if (requiredBy(check).includes(kind)) {
        assert.deepEqual([id, verdict, found], [id, 'error', cause]);
        assert.match(why, reason);
      } else assert.ok(notes.includes(`${kind} not readable: ${cause}`), id);
      const isPass = counterpart(result, reference).verdict === 'pass';
      assert.ok(verdict !== 'pass' || isPass, `${id} became a pass`);
    }
    assert.deepEqual(others(dependent, report), others(dependent, reference));
    const isError = dependent.some(({ verdict }) => verdict === 'error');
    assert.equal(report.complete, !isError);
    assert.equal(exitStatus(report), isError ? 2 : 1);
  }
});

interface Cost {
  readonly kind: Kind;
  readonly cause: ErrorCause;
  readonly reason?: RegExp;
}

/** Priority and fairness: the reader gets no seat, and no place in a queue. */
const jail = `
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: { name: jail }
spec:
  type: Limited
  limited: { nominalConcurrencyShares: 0, limitResponse: { type: Reject } }
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: { name: jail }
spec:
  matchingPrecedence: 2
  priorityLevelConfiguration: { name: jail }
  rules:
    - subjects: [{ kind: User, user: { name: ${reader.name} } }]
      resourceRules:
        - { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }
`;

const tooMany = { status: 429, headers: { 'retry-after': '0' } };
const notFound = { status: 404 };

const isList = (kind: Kind, { path }: EdgeRequest) =>
  kinds[kind].resources.some((resource) => path.endsWith(`/${resource}`));
const isFirstPage = (kind: Kind, request: EdgeRequest) =>
  isList(kind, request) && !request.query.has('continue');
const isNextPage = (kind: Kind, request: EdgeRequest) =>
  isList(kind, request) && request.query.has('continue');

const outOfForce = 'convention not in force';
const isOutOfForce = ({ reason }: Result) => reason === outOfForce;

function others(results: readonly Result[], report: Report): readonly Result[] {
  const ids = new Set(results.map(({ id }) => id));
  return report.results.filter(({ id }) => !ids.has(id));
}

/** A 410 offers a token that goes on with another state of the cluster. */
function assertNotTaken({ requests }: Edge, refusals: readonly Answer[]): void {
  assert.notEqual(refusals.length, 0);
  for (const { body = '' } of refusals) {
    // As every such token begins.
    assert.ok(body.includes('eyJ2Ij'));
    const taken = requests.filter(({ query }) => body.includes(query.get('continue') ?? '\0\0'));
    assert.deepEqual(taken, []);
  }
}
