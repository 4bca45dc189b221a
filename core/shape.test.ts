import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { MalformedError } from './errors.ts';
import { kindNames, kinds } from './kinds.ts';
import type { Field, Shape } from './shape.ts';
import {
  bool,
  inline,
  int,
  intOrString,
  list,
  object,
  optional,
  optionalInt,
  presence,
  project,
  text,
  textMap,
  texts,
  time,
} from './shape.ts';

const all = {
  name: text(),
  at: time(),
  count: int(),
  replicas: optionalInt(),
  paused: bool(),
  bound: intOrString(),
  hook: presence(),
  values: texts(),
  labels: textMap(),
  kept: textMap(0, (key) => key.startsWith('kept')),
  struct: object(0, { name: text() }),
  pointer: optional(0, { name: text() }),
  items: list(0, { name: text() }),
  either: inline(0, { left: text(), right: optional(0, { n: int() }) }),
} satisfies Shape;

describe('project', () => {
  it('keeps what the shape names, and nothing else', () => {
    const kept = {
      name: 'web',
      at: '2026-01-01T00:00:00Z',
      count: 3,
      replicas: 2,
      paused: true,
      bound: '25%',
      values: ['a', ''],
      labels: { app: 'web', tier: '' },
      struct: { name: 'x' },
      pointer: { name: 'y' },
      items: [{ name: 'z' }],
      left: 'l',
      right: { n: 1 },
    };
    const deeper = { ...kept.struct, other: 1 };
    assert.deepEqual(project(all, { ...kept, other: 1, struct: deeper }), kept);
  });

  const dropped = {
    name: '',
    at: '',
    count: 0,
    paused: false,
    values: [],
    labels: {},
    struct: {},
    items: [],
    left: '',
  };
  for (const [field, value] of Object.entries(dropped)) {
    it(`drops ${field} when it is ${JSON.stringify(value)}: absent and zero are one`, () => {
      assert.deepEqual(project(all, { [field]: value }), {});
    });
  }

  it('drops a struct of which nothing is left', () => {
    assert.deepEqual(project(all, { struct: { name: '', other: 1 } }), {});
  });

  const pointers = { replicas: 0, pointer: {}, bound: 0, right: {} };
  for (const [field, value] of Object.entries(pointers)) {
    it(`keeps ${field} when it is ${JSON.stringify(value)}: a pointer says more than nothing`, () => {
      assert.deepEqual(project(all, { [field]: value }), { [field]: value });
    });
  }

  it('keeps an empty percentage: it is malformed, not absent', () => {
    assert.deepEqual(project(all, { bound: '' }), { bound: '' });
  });

  it('keeps items of a list of which nothing is left: their number counts', () => {
    assert.deepEqual(project(all, { items: [{}, { name: '' }] }), { items: [{}, {}] });
  });

  it('takes null for absent', () => {
    for (const field of [...Object.keys(all), 'left', 'right']) {
      assert.deepEqual(project(all, { [field]: null }), {}, field);
    }
  });

  it('takes null among labels for an empty string', () => {
    assert.deepEqual(project(all, { labels: { app: null } }), { labels: { app: '' } });
  });

  it('keeps of what must not leave the cluster only that it is there', () => {
    assert.deepEqual(project(all, { hook: { command: ['--password=secret'] } }), { hook: true });
    assert.deepEqual(project(all, { hook: {} }), { hook: true });
  });

  it('keeps of a map the keys that are asked for, and looks at no other value', () => {
    const map = { kept: 'a', 'kept-too': 'b', secret: 1 };
    assert.deepEqual(project(all, { kept: map }), { kept: { kept: 'a', 'kept-too': 'b' } });
    assert.deepEqual(project(all, { kept: { secret: 'x' } }), {});
  });

  it('keeps keys that have the names of what every object inherits', () => {
    const raw = JSON.parse('{"labels": {"__proto__": "a", "constructor": "b"}}');
    const { labels = {} } = project(all, raw);
    assert.deepEqual(Object.entries(labels), [
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
    assert.equal(Object.getPrototypeOf(labels), Object.prototype);
  });

  it('reads no field from a prototype that the object names itself', () => {
    assert.deepEqual(project(all, JSON.parse('{"__proto__": {"name": "forged"}}')), {});
  });

  const wrong = [
    [{ name: 1 }, 'name: expected a string, found 1'],
    [{ name: {} }, 'name: expected a string, found a map'],
    [{ at: 1 }, 'at: expected a string, found 1'],
    [{ count: '3' }, 'count: expected an integer, found "3"'],
    [{ count: 1.5 }, 'count: expected an integer, found 1.5'],
    [{ count: 2 ** 53 }, 'count: expected an integer, found 9007199254740992'],
    [{ replicas: true }, 'replicas: expected an integer, found true'],
    [{ paused: 'yes' }, 'paused: expected true or false, found "yes"'],
    [{ paused: 0 }, 'paused: expected true or false, found 0'],
    [{ bound: [] }, 'bound: expected an integer, found a list'],
    [{ values: 'a' }, 'values: expected a list, found "a"'],
    [{ values: ['a', null] }, 'values[1]: expected a string, found null'],
    [{ labels: [] }, 'labels: expected a map, found a list'],
    [{ labels: { app: 1 } }, 'labels.app: expected a string, found 1'],
    [{ kept: { kept: 1 } }, 'kept.kept: expected a string, found 1'],
    [{ struct: 'x' }, 'struct: expected a map, found "x"'],
    [{ pointer: [] }, 'pointer: expected a map, found a list'],
    [{ pointer: { name: 1 } }, 'pointer.name: expected a string, found 1'],
    [{ items: {} }, 'items: expected a list, found a map'],
    [{ items: [{}, null] }, 'items[1]: expected a map, found null'],
    [{ items: [{}, { name: 1 }] }, 'items[1].name: expected a string, found 1'],
    [{ right: { n: 'x' } }, 'right.n: expected an integer, found "x"'],
    [null, 'object: expected a map, found null'],
    ['x', 'object: expected a map, found "x"'],
    [undefined, 'object: expected a map, found nothing'],
  ] as const;
  for (const [raw, message] of wrong) {
    it(`refuses with "${message}"`, () => {
      assert.throws(() => project(all, raw), { name: 'MalformedError', message });
    });
  }
});

/** Anything that may stand in a field: zeros and nulls, what no shape names, and keys that hurt. */
function fieldOf(field: Field): fc.Arbitrary<unknown> {
  switch (field.type) {
    case 'text':
    case 'time':
      return fc.constantFrom('', 'a', 'b');
    case 'int':
    case 'optionalInt':
      return fc.integer({ min: -1, max: 3 });
    case 'bool':
    case 'optionalBool':
      return fc.boolean();
    case 'presence':
      return fc.constantFrom({}, { command: ['x'] }, true);
    case 'intOrString':
      return fc.constantFrom(0, 1, '', '25%');
    case 'texts':
      return fc.array(fc.constantFrom('', 'a'), { maxLength: 2 });
    case 'textMap':
    case 'timeMap':
    case 'quantityMap':
      return fc.dictionary(
        fc.constantFrom('app', '__proto__', 'constructor', 'ha-compliance/quorum'),
        fc.constantFrom('', 'a', null),
      );
    case 'list':
      return fc.array(objectOf(field.shape), { maxLength: 2 });
    default:
      return objectOf(field.shape);
  }
}

function objectOf(shape: Shape): fc.Arbitrary<object> {
  const fields = Object.entries(shape).map(([name, field]) => {
    if (field.type === 'inline') return objectOf(field.shape);
    return fc.option(fieldOf(field)).map((value) => ({ [name]: value }));
  });
  const unnamed = fc.constantFrom({}, { managedFields: [{ manager: 'kubectl' }] });
  return fc.tuple(unnamed, ...fields).map((parts) => Object.assign({}, ...parts));
}

describe('project, for every kind that is read', () => {
  const runs = { numRuns: 20 };

  for (const kind of kindNames) {
    const { shape }: { readonly shape: Shape } = kinds[kind];
    const arbitrary = objectOf(shape);

    it(`changes nothing about ${kind} the second time`, () => {
      fc.assert(
        fc.property(arbitrary, (raw) => {
          const once = project(shape, raw);
          assert.deepEqual(project(shape, JSON.parse(JSON.stringify(once))), once);
        }),
        runs,
      );
    });

    it(`keeps nothing about ${kind} that the shape does not name`, () => {
      fc.assert(
        fc.property(arbitrary, (raw) => {
          assert.ok(!JSON.stringify(project(shape, raw)).includes('kubectl'));
        }),
        runs,
      );
    });
  }

  it('throws nothing but MalformedError, whatever it is given', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(all)), fc.jsonValue()), (raw) => {
        try {
          project(all, raw);
        } catch (error) {
          assert.ok(error instanceof MalformedError);
        }
      }),
    );
  });
});
