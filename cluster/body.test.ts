import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'mocha';
import { bodyReader } from './body.ts';

const of = (...parts: readonly string[]) => Readable.from(parts.map((part) => Buffer.from(part)));
const large = 'x'.repeat(100_000);

describe('a body', () => {
  it('is all that came, however large', async () => {
    const read = bodyReader();
    assert.equal((await read(of())).bytes.toString(), '');
    assert.equal((await read(of('a', 'bc', large, 'd'))).bytes.toString(), `abc${large}d`);
  });

  it('keeps its bytes until they are released', async () => {
    const read = bodyReader();
    const first = await read(of('first'));
    const second = await read(of('second'));
    assert.equal(first.bytes.toString(), 'first');
    second.release();
    assert.equal((await read(of('3rd'))).bytes.buffer, second.bytes.buffer);
    assert.equal(first.bytes.toString(), 'first');
  });

  it('fails as its stream does', async () => {
    const read = bodyReader();
    const broken = of('a', 'b');
    const reading = read(broken);
    broken.destroy(new Error('reset'));
    await assert.rejects(reading, /reset/);
    const closed = of('a');
    const waiting = read(closed);
    closed.destroy();
    await assert.rejects(waiting, /closed/);
  });
});
