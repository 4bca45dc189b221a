import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, it } from 'mocha';
import { createAuthority } from './certificates.ts';

describe('certificates', () => {
  const authority = createAuthority('one');
  const root = new X509Certificate(authority.certificate);

  it('are signed by their own authority and by no other', () => {
    const { certificate } = authority.serving(['127.0.0.1']);
    const other = new X509Certificate(createAuthority('one').certificate);
    assert.ok(root.ca);
    assert.ok(new X509Certificate(certificate).verify(root.publicKey));
    assert.ok(new X509Certificate(certificate).checkIssued(root));
    assert.ok(!new X509Certificate(certificate).verify(other.publicKey));
  });

  it('serve the addresses and names that they are for', () => {
    const serving = new X509Certificate(authority.serving(['127.0.0.1', 'localhost']).certificate);
    assert.equal(serving.checkIP('127.0.0.1'), '127.0.0.1');
    assert.equal(serving.checkHost('localhost'), 'localhost');
    assert.equal(serving.checkIP('127.0.0.2'), undefined);
  });

  it('carry a user as common name and groups as organizations', () => {
    const { certificate, key } = authority.client('reader', ['readers', 'team:a']);
    const client = new X509Certificate(certificate);
    assert.equal(client.subject, 'O=readers\nO=team:a\nCN=reader');
    assert.ok(client.checkPrivateKey(createPrivateKey(key)));
    assert.equal(client.keyUsage?.join(), '1.3.6.1.5.5.7.3.2');
  });
});
