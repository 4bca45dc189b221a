import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { Writer } from 'protobufjs/minimal.js';
import { MissingError } from '../core/errors.ts';
import { kindNames, kinds } from '../core/kinds.ts';
import type { Field, Shape } from '../core/shape.ts';
import { bool, int, list, object, project, text, texts, time } from '../core/shape.ts';
import { bytesField, textField, wrapped, writePage } from '../test/protobuf-writer.ts';
import { asWritten } from './intern.ts';
import { readPage } from './page.ts';
import { decodeContinue, decodeItems, decodeStatus, protobufType } from './protobuf.ts';

const builtin = kindNames.filter((kind) => kinds[kind].protobuf);

/** Anything of this shape, in the form that it has in JSON. */
function matching(shape: Shape): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(shape);
  const plain = entries.flatMap(([name, field]) =>
    field.type === 'inline' ? [] : [[name, anyValue(field)] as const],
  );
  const inlined = entries.flatMap(([, field]) =>
    field.type === 'inline' ? [matching(field.shape)] : [],
  );
  const own = fc.record(Object.fromEntries(plain), { requiredKeys: [], noNullPrototype: true });
  return fc.tuple(own, ...inlined).map((parts) => Object.assign({}, ...parts));
}

function anyValue(field: Exclude<Field, { type: 'inline' }>): fc.Arbitrary<unknown> {
  switch (field.type) {
    case 'text':
      return fc.string({ maxLength: 5 });
    case 'int':
    case 'optionalInt':
      return fc.oneof(fc.constant(0), fc.maxSafeInteger());
    case 'bool':
    case 'optionalBool':
      return fc.boolean();
    case 'presence':
      return fc.constant({});
    case 'time':
      return anyTime;
    case 'intOrString':
      return fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.string());
    case 'texts':
      return fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 });
    case 'textMap':
      return fc.dictionary(labelKey, fc.string({ maxLength: 5 }), { maxKeys: 3 });
    case 'timeMap':
      return fc.dictionary(labelKey, anyTime, { maxKeys: 3 });
    case 'quantityMap':
      return fc.dictionary(labelKey, fc.constantFrom('0', '10m', '64Mi', '1e3'), { maxKeys: 3 });
    case 'list':
      return fc.array(matching(field.shape), { maxLength: 2 });
    case 'object':
      return matching(field.shape);
    default:
      return field satisfies never;
  }
}

const anyTime = fc
  .integer({ min: 1, max: 4_102_444_800 })
  .map((seconds) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z'));

const labelKey = fc.oneof(
  fc.stringMatching(/^[a-z0-9]([a-z0-9./-]{0,8}[a-z0-9])?$/),
  fc.constant('ha-compliance/quorum'),
);

/** Of what is no Protobuf nothing comes but this. */
const isMalformed = (error: unknown) =>
  error instanceof MissingError &&
  error.missing === 'malformed' &&
  error.message.startsWith('answer not understood: ');

describe('decodeItems', () => {
  for (const kind of builtin) {
    it(`reads from Protobuf what project() reads from JSON: ${kind}`, () => {
      const { shape } = kinds[kind];
      fc.assert(
        fc.property(fc.array(matching(shape), { maxLength: 3 }), (items) => {
          const decoded = decodeItems(writePage(shape, items), { shape }, asWritten);
          assert.deepEqual(
            decoded,
            items.map((item) => project(shape, item)),
          );
        }),
        { numRuns: 30 },
      );
    });
  }

  const shape = {
    name: text(1),
    count: int(2),
    ready: bool(3),
    at: time(4),
    values: texts(5),
    inner: object(6, { name: text(1) }),
    all: list(7, { name: text(1) }),
  } satisfies Shape;
  const decode = (...fields: readonly Uint8Array[]) =>
    decodeItems(wrapped(bytesField(2, Buffer.concat(fields))), { shape }, asWritten)[0];
  const number = (n: number, value: number) =>
    new Writer()
      .uint32(n << 3)
      .int64(value)
      .finish();

  it('skips what the shape does not name, however it is written', () => {
    const unknown = [
      number(100, 5),
      new Writer()
        .uint32((101 << 3) | 1)
        .fixed64(5)
        .finish(),
      textField(102, 'managedFields'),
      new Writer()
        .uint32((103 << 3) | 5)
        .fixed32(5)
        .finish(),
    ];
    assert.deepEqual(decode(...unknown, textField(1, 'web'), ...unknown), { name: 'web' });
  });

  it('skips a field that is not written as its kind is', () => {
    assert.deepEqual(decode(number(1, 3), textField(2, 'x'), textField(3, 'x'), number(6, 1)), {});
  });

  it('reads integers beyond 32 bits, and negative ones', () => {
    for (const value of [1, -1, 2 ** 31, -(2 ** 31), 2 ** 40 + 3, Number.MAX_SAFE_INTEGER]) {
      assert.deepEqual(decode(number(2, value)), { count: value });
    }
  });

  it('keeps of equal strings the one that it is given', () => {
    const seen: string[] = [];
    const intern = {
      ...asWritten,
      text: (bytes: Buffer, start: number, end: number) => {
        seen.push(bytes.toString('utf8', start, end));
        return 'interned';
      },
    };
    const item = { name: 'a', values: ['b'], inner: { name: 'c' }, all: [{ name: 'd' }] };
    const [decoded] = decodeItems(writePage(shape, [item]), { shape }, intern);
    assert.deepEqual(seen, ['a', 'b', 'c', 'd']);
    assert.equal(decoded?.name, 'interned');
  });

  it('builds of a pod nothing that its owner says for all its pods', () => {
    const affinity = { podAntiAffinity: {} };
    const spec = { nodeName: 'worker-1', containers: [{ name: 'web' }], affinity };
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', controller: true };
    const pods = [
      { metadata: { name: 'web-1-a', ownerReferences: [owner] }, spec },
      { metadata: { name: 'bare' }, spec },
    ];
    const decoded = decodeItems(writePage(kinds.pods.shape, pods), kinds.pods, asWritten);
    const { affinity: _, ...kept } = spec;
    assert.deepEqual(
      decoded.map((pod) => pod.spec),
      [kept, spec],
    );
  });

  it('gives an empty list for an empty page', () => {
    assert.deepEqual(decodeItems(writePage(shape, []), { shape }, asWritten), []);
    assert.equal(decodeContinue(wrapped(Buffer.of())), undefined);
  });

  const broken = {
    JSON: Buffer.from('{"kind":"PodList"}'),
    nothing: Buffer.of(),
    'the magic bytes alone': Buffer.from('k8s\0'),
    'no object': Buffer.concat([Buffer.from('k8s\0'), bytesField(1, textField(1, 'v1'))]),
    'an object that is longer than the answer': wrapped(textField(2, 'x')).subarray(0, 20),
    'an item that is longer than its list': wrapped(Buffer.of((2 << 3) | 2, 100, 0)),
    'a field that is longer than its item': wrapped(
      Buffer.concat([bytesField(2, Buffer.of((1 << 3) | 2, 4, 65)), textField(9, 'enough')]),
    ),
    'a map entry that is longer than its map': wrapped(
      bytesField(2, bytesField(1, bytesField(11, Buffer.of((1 << 3) | 2, 9)))),
    ),
    'a wire type that does not exist': wrapped(bytesField(2, Buffer.of((1 << 3) | 7, 0))),
    'the end of a group': wrapped(bytesField(2, Buffer.of((1 << 3) | 4))),
    'groups without end': wrapped(bytesField(2, Buffer.alloc(10_000, (1 << 3) | 3))),
    'a number without end': wrapped(bytesField(2, Buffer.alloc(30, 0xff))),
    'a time that is none': wrapped(
      bytesField(2, bytesField(1, bytesField(8, number(1, Number.MAX_SAFE_INTEGER)))),
    ),
  };
  for (const [what, body] of Object.entries(broken)) {
    it(`refuses ${what}`, () => {
      assert.throws(() => decodeItems(body, kinds.pods, asWritten), isMalformed);
    });
  }

  it('refuses what was cut off anywhere', () => {
    const pod = { metadata: { name: 'web', labels: { app: 'web' } }, spec: { nodeName: 'n' } };
    const { shape } = kinds.pods;
    const whole = writePage(shape, [pod, pod], 'token');
    // Behind the object there are two empty fields of two bytes each.
    const object = whole.length - 4;
    for (let length = 0; length < object; length++) {
      const half = whole.subarray(0, length);
      assert.throws(() => decodeItems(half, { shape }, asWritten), isMalformed, `${length} bytes`);
      assert.throws(() => decodeContinue(half), isMalformed, `${length} bytes`);
    }
    assert.equal(decodeItems(whole.subarray(0, object), { shape }, asWritten).length, 2);
  });

  const survives = (body: Buffer) => {
    for (const read of [
      () => decodeContinue(body),
      () => decodeItems(body, kinds.pods, asWritten),
      () => decodeStatus(body),
    ]) {
      try {
        read();
      } catch (error) {
        assert.ok(isMalformed(error), String(error));
      }
    }
  };

  it('survives any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        survives(Buffer.from(bytes));
        survives(Buffer.concat([Buffer.from('k8s\0'), bytes]));
        survives(wrapped(bytes));
        survives(wrapped(bytesField(2, bytes)));
      }),
      { numRuns: 500 },
    );
  });

  it('survives any change to an answer', () => {
    const { shape } = kinds.pods;
    const pod = {
      metadata: { name: 'web', labels: { app: 'web' }, creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { containers: [{ readinessProbe: { httpGet: { port: 80 } } }] },
    };
    const whole = writePage(shape, [pod], 'token');
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const changed = Buffer.from(whole);
        for (const [at, byte] of changes) changed[at] = byte;
        survives(changed);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('decodeContinue', () => {
  it('finds the token without looking at an item', () => {
    const { shape } = kinds.services;
    assert.equal(decodeContinue(writePage(shape, [], 'token')), 'token');
    assert.equal(decodeContinue(writePage(shape, [{}], '')), undefined);
    const garbage = Buffer.concat([bytesField(1, textField(3, 'token')), Buffer.of(0x12, 0xff)]);
    assert.equal(decodeContinue(wrapped(garbage)), 'token');
  });
});

describe('readPage of Protobuf', () => {
  const page = (items: readonly object[]) =>
    readPage(
      {
        status: 200,
        headers: { 'content-type': protobufType },
        body: writePage(kinds.leases.shape, items as Record<string, unknown>[], 'next'),
      },
      { kind: 'leases', version: 'v1' },
      asWritten,
    );

  it('says what the objects are, which do not say it themselves', () => {
    const metadata = { name: 'leader', namespace: 'shop' };
    const { objects } = page([{ metadata }]).objects();
    const type = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
    assert.deepEqual(objects, [{ ...type, metadata }]);
    assert.equal(page([]).continue, 'next');
  });

  it('charges an object without a name to its namespace, as in JSON', () => {
    const items = [{ metadata: { namespace: 'pay' } }, { metadata: { name: 'a' } }, {}];
    const { objects, gaps } = page(items).objects();
    assert.deepEqual(
      objects.map(({ metadata }) => metadata.name),
      ['a'],
    );
    assert.deepEqual(
      gaps.map(({ namespace }) => namespace),
      ['pay', undefined],
    );
  });
});
