import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { budget, service } from '../test/objects.ts';
import type { LabelSelector } from './objects.ts';
import type { Labels } from './selector.ts';
import {
  budgetSelects,
  hasSelector,
  includes,
  isEmpty,
  isValid,
  labelsLike,
  matches,
  selectorText,
  serviceSelects,
} from './selector.ts';

const requirement = (key: string, operator: string, values?: readonly string[]) => ({
  matchExpressions: [{ key, operator, ...(values && { values }) }],
});

describe('matches', () => {
  const labels = { app: 'web', tier: '' };
  const table: readonly (readonly [string, LabelSelector, boolean])[] = [
    ['a pair that stands in the labels', { matchLabels: { app: 'web' } }, true],
    ['a pair with another value', { matchLabels: { app: 'api' } }, false],
    ['a pair with an absent key', { matchLabels: { env: '' } }, false],
    ['In with the value listed', requirement('app', 'In', ['web', 'api']), true],
    ['In with other values', requirement('app', 'In', ['api']), false],
    ['In with the empty value listed', requirement('tier', 'In', ['']), true],
    ['In with an absent key', requirement('env', 'In', ['']), false],
    ['NotIn with an absent key', requirement('env', 'NotIn', ['dev']), true],
    ['NotIn with the value listed', requirement('app', 'NotIn', ['web']), false],
    ['NotIn with other values', requirement('app', 'NotIn', ['api']), true],
    ['Exists with an empty value', requirement('tier', 'Exists'), true],
    ['Exists with an absent key', requirement('env', 'Exists'), false],
    ['DoesNotExist with a present key', requirement('app', 'DoesNotExist'), false],
    ['DoesNotExist with an absent key', requirement('env', 'DoesNotExist'), true],
    ['a requirement without a key', { matchExpressions: [{ operator: 'Exists' }] }, false],
    ['a pair and a requirement that fails', andExists('env'), false],
    ['a pair and a requirement that holds', andExists('tier'), true],
    ['nothing at all', {}, true],
    ['In without values', requirement('app', 'In'), false],
    ['NotIn without values', requirement('env', 'NotIn', []), false],
    ['Exists with values', requirement('app', 'Exists', ['web']), false],
    ['DoesNotExist with values', requirement('env', 'DoesNotExist', ['dev']), false],
    ['an unknown operator', requirement('app', 'Gt', ['1']), false],
    ['an unknown operator with an absent key', requirement('env', 'Gt', ['1']), false],
    ['no operator', { matchExpressions: [{ key: 'app' }] }, false],
  ];
  for (const [what, selector, expected] of table) {
    it(`${expected ? 'accepts' : 'refuses'} ${what}`, () => {
      assert.equal(matches(selector, labels), expected);
    });
  }

  function andExists(key: string): LabelSelector {
    return { matchLabels: { app: 'web' }, ...requirement(key, 'Exists') };
  }

  it('sees no labels where there are none', () => {
    assert.equal(matches(requirement('app', 'Exists'), undefined), false);
    assert.equal(matches(requirement('app', 'DoesNotExist'), undefined), true);
  });

  it('takes for a label nothing that every JavaScript object inherits', () => {
    for (const key of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      assert.equal(matches(requirement(key, 'Exists'), {}), false);
      assert.equal(matches(requirement(key, 'NotIn', ['x']), {}), true);
      const own = Object.fromEntries([[key, 'x']]);
      assert.equal(matches({ matchLabels: own }, own), true);
      assert.equal(matches({ matchLabels: own }, {}), false);
    }
  });
});

// Few keys and values, so that they meet.
const key = fc.constantFrom('app', 'tier', 'constructor', '__proto__');
const value = fc.constantFrom('web', 'api', '');
const labels = fc.dictionary(key, value, { maxKeys: 3 });
const expression: fc.Arbitrary<NonNullable<LabelSelector['matchExpressions']>[number]> = fc.record({
  key,
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Near'),
  values: fc.array(value, { maxLength: 2 }),
});
const selector: fc.Arbitrary<LabelSelector> = fc.record({
  matchLabels: labels,
  matchExpressions: fc.array(expression, { maxLength: 3 }),
});

describe('matches, for every selector', () => {
  it('is the AND of what each part alone says', () => {
    const parts = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector) => [
      ...Object.entries(matchLabels).map((pair) => ({ matchLabels: Object.fromEntries([pair]) })),
      ...matchExpressions.map((one) => ({ matchExpressions: [one] })),
    ];
    fc.assert(
      fc.property(selector, labels, (whole, own) => {
        assert.equal(
          matches(whole, own),
          parts(whole).every((part) => matches(part, own)),
        );
      }),
    );
  });

  it('gives NotIn the opposite of In where the key is present', () => {
    fc.assert(
      fc.property(labels, fc.array(value, { minLength: 1 }), (own, values) => {
        for (const present of Object.keys(own)) {
          const isIn = matches(requirement(present, 'In', values), own);
          assert.equal(matches(requirement(present, 'NotIn', values), own), !isIn);
        }
      }),
    );
  });

  it('gives DoesNotExist the opposite of Exists', () => {
    fc.assert(
      fc.property(labels, key, (own, asked) => {
        const exists = matches(requirement(asked, 'Exists'), own);
        assert.equal(matches(requirement(asked, 'DoesNotExist'), own), !exists);
      }),
    );
  });

  it('refuses everything when one requirement is invalid', () => {
    fc.assert(
      fc.property(selector, labels, (whole, own) => {
        assert.ok(isValid(whole) || !matches(whole, own));
      }),
    );
  });
});

describe('includes', () => {
  it('asks for every pair, and for nothing when there is none', () => {
    assert.equal(includes({ app: 'web', tier: 'a' }, { app: 'web', tier: 'a' }), true);
    assert.equal(includes({ app: 'web' }, { app: 'web', tier: 'a' }), false);
    assert.equal(includes({ app: 'web' }, {}), true);
  });
});

describe('isEmpty', () => {
  it('is true without pairs and requirements only', () => {
    assert.equal(isEmpty({}), true);
    assert.equal(isEmpty({ matchLabels: { app: 'web' } }), false);
    assert.equal(isEmpty(requirement('app', 'Exists')), false);
    const both = { matchLabels: { app: 'web' }, ...requirement('app', 'Exists') };
    assert.equal(isEmpty(both), false);
  });
});

describe('budgetSelects', () => {
  const own: Labels = { app: 'web' };
  const v1beta1 = 'policy/v1beta1';
  const table = [
    ['no pods without a selector', 'policy/v1', undefined, false],
    ['no pods without a spec', 'policy/v1', null, false],
    ['every pod by an empty selector', 'policy/v1', {}, true],
    ['no pods by an empty selector of v1beta1', v1beta1, {}, false],
    ['no pods without a selector of v1beta1', v1beta1, undefined, false],
    ['what matches', 'policy/v1', { matchLabels: { app: 'web' } }, true],
    ['what matches in v1beta1', v1beta1, { matchLabels: { app: 'web' } }, true],
    ['not what does not match', 'policy/v1', { matchLabels: { app: 'api' } }, false],
    ['no pods by an invalid selector', 'policy/v1', requirement('app', 'In', []), false],
  ] as const;
  for (const [what, apiVersion, podSelector, expected] of table) {
    it(`selects ${what}`, () => {
      const spec = podSelector === null ? undefined : { selector: podSelector };
      assert.equal(budgetSelects(budget('web', { apiVersion, spec }), own), expected);
    });
  }

  it('selects unlabelled pods by an empty selector', () => {
    assert.equal(budgetSelects(budget('all', { spec: { selector: {} } }), undefined), true);
  });
});

describe('serviceSelects', () => {
  const table = [
    [{ selector: { app: 'web' } }, true, true],
    [{ selector: { app: 'web', tier: 'a' } }, true, false],
    [{ selector: {} }, false, false],
    [{}, false, false],
    [{ selector: { app: 'web' }, type: 'ExternalName' }, false, false],
  ] as const;
  for (const [spec, has, selects] of table) {
    it(`is ${selects} for ${JSON.stringify(spec)}`, () => {
      assert.equal(hasSelector(service('web', { spec })), has);
      assert.equal(serviceSelects(service('web', { spec }), { app: 'web' }), selects);
    });
  }

  it('is false without a specification', () => {
    assert.equal(hasSelector(service('web')), false);
    assert.equal(serviceSelects(service('web'), { app: 'web' }), false);
  });
});

describe('selectorText', () => {
  it('shows pairs and requirements in order', () => {
    const text = selectorText({
      matchLabels: { tier: '', app: 'web' },
      matchExpressions: [
        { key: 'zone', operator: 'Exists' },
        { key: 'env', operator: 'NotIn', values: ['dev', 'test'] },
      ],
    });
    assert.equal(text, '{app: web, tier: "", env NotIn [dev, test], zone Exists}');
  });

  it('shows a single pair', () => {
    assert.equal(selectorText({ matchLabels: { app: 'web' } }), '{app: web}');
  });

  it('tells absent from empty', () => {
    assert.equal(selectorText(undefined), 'absent');
    assert.equal(selectorText({}), '{}');
  });

  it('shows what is incomplete as it is', () => {
    assert.equal(selectorText({ matchExpressions: [{}] }), '{ }');
  });
});

describe('labelsLike', () => {
  const own = { app: 'web', tier: 'front', hash: '1' };

  it('shows the labels that the selector asks about', () => {
    const asks = { matchLabels: { app: 'api' }, ...requirement('tier', 'Exists') };
    assert.equal(labelsLike(own, asks), '{app: web, tier: front}');
    assert.equal(labelsLike(own, { matchLabels: { app: 'api' } }), '{app: web}');
  });

  it('shows all labels where the selector asks about none of them', () => {
    assert.equal(
      labelsLike(own, { matchLabels: { k8s: 'x' } }),
      '{app: web, hash: 1, tier: front}',
    );
    assert.equal(labelsLike(undefined, {}), '{}');
  });
});
