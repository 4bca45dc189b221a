import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { Writer } from 'protobufjs/minimal.js';
import { isProtobuf, reasonOf } from './status.ts';

const protobufType = 'application/vnd.kubernetes.protobuf';
const refusal = (contentType: string | undefined, body: Buffer | string) =>
  reasonOf({ status: 403, headers: { 'content-type': contentType }, body: Buffer.from(body) });
const json = (body: unknown) => refusal('application/json', JSON.stringify(body));

/** As an API server writes a Status: message is field 3 of it, reason 4. */
function protobufStatus(message: string, reason: string): Buffer {
  const raw = new Writer().uint32(26).string(message).uint32(34).string(reason).finish();
  const type = new Writer().uint32(10).string('v1').uint32(18).string('Status').finish();
  const wrapped = new Writer().uint32(10).bytes(type).uint32(18).bytes(raw).finish();
  return Buffer.concat([Buffer.from('k8s\0'), wrapped]);
}

describe('reasonOf', () => {
  it('says the reason and the message of a Status in JSON', () => {
    const status = { kind: 'Status', reason: 'Forbidden', message: 'pods is forbidden' };
    assert.equal(json(status), 'Forbidden: pods is forbidden');
  });

  it('says the reason and the message of a Status in Protobuf', () => {
    const status = protobufStatus('pods is forbidden', 'Forbidden');
    assert.equal(refusal(protobufType, status), 'Forbidden: pods is forbidden');
    assert.equal(refusal(`${protobufType};stream=watch`, status), 'Forbidden: pods is forbidden');
  });

  it('says what there is of the two', () => {
    assert.equal(json({ message: 'no' }), 'no');
    assert.equal(json({ reason: 'Forbidden' }), 'Forbidden');
    assert.equal(json({ reason: 1, message: ['no'] }), 'without a reason');
  });

  it('makes one line of many, and no long one', () => {
    assert.equal(json({ message: 'first\n  second\tthird' }), 'first second third');
    assert.equal(json({ message: 'x'.repeat(1000) }).length, 300);
  });

  it('repeats nothing that is not an API server’s own', () => {
    for (const body of ['<html>Log in</html>', '', '"text"', 'null', '[]', '5', '{']) {
      assert.equal(refusal('text/html', body), 'without a reason');
      assert.equal(refusal(protobufType, body), 'without a reason');
      assert.equal(refusal(undefined, body), 'without a reason');
    }
  });

  it('never fails, whatever the bytes are', () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.constantFrom(protobufType, 'application/json'),
        (bytes, type) => {
          const body = Buffer.concat([Buffer.from('k8s\0'), bytes]);
          assert.equal(typeof refusal(type, body), 'string');
        },
      ),
    );
  });
});

describe('isProtobuf', () => {
  it('looks at the type only', () => {
    assert.equal(isProtobuf(`${protobufType};as=PartialObjectMetadataList`), true);
    assert.equal(isProtobuf('application/json'), false);
    assert.equal(isProtobuf(undefined), false);
    assert.equal(isProtobuf([protobufType]), false);
  });
});
