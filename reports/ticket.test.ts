import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pending, permanent } from '../test/sample-report.ts';
import { acceptance, ticket } from './ticket.ts';

describe('acceptance', () => {
  it('links the Jira issue and says until when', () => {
    assert.equal(
      acceptance(pending),
      'OCPBUGS-12345 https://redhat.atlassian.net/browse/OCPBUGS-12345: needs leader election first (until 2027-03-01)',
    );
  });

  it('says until which release', () => {
    const { expires: _, ...open } = pending;
    assert.match(acceptance({ ...open, targetRelease: '5.1' }), / \(until release 5\.1\)$/);
  });

  it('links the public convention where there is no issue', () => {
    assert.equal(
      acceptance(permanent),
      'https://example.org/conventions#caches: a cache that every client can do without',
    );
  });

  it('links both where both are given', () => {
    assert.match(
      acceptance({ ...permanent, jira: 'NE-1' }),
      /^NE-1 \S+\/NE-1 https:\/\/example\.org/,
    );
  });

  it('links no issue of the sandbox: no tracker has it', () => {
    assert.equal(
      acceptance({ ...permanent, source: '', jira: 'SANDBOX-1' }),
      `SANDBOX-1: ${permanent.reason}`,
    );
  });
});

describe('ticket', () => {
  it('is the key, also of an issue given by its address', () => {
    assert.equal(ticket('OCPBUGS-1'), 'OCPBUGS-1');
    assert.equal(ticket('https://issues.redhat.com/browse/OCPBUGS-1'), 'OCPBUGS-1');
  });
});
