import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { frameworkNames } from './junit-framework.ts';
import names from './released-names.json' with { type: 'json' };
import { namesProblems } from './released-names.ts';

describe('namesProblems', () => {
  const released = ['pods in ns/<namespace> should start', 'nodes should be ready'];

  it('accepts what was released and what is new', () => {
    assert.deepEqual(namesProblems([...released, 'nodes should be three'], released, {}), []);
  });

  it('reports a released name that is gone', () => {
    assert.deepEqual(namesProblems(['nodes should be ready'], released, {}), [
      '"pods in ns/<namespace> should start" was released: keep it, or enter its rename',
    ]);
  });

  it('accepts a rename, and a second one', () => {
    const renames = {
      'nodes should be ready': 'nodes should serve',
      'nodes should serve': 'nodes should run',
    };
    const all = [...released, 'nodes should serve'];
    assert.deepEqual(
      namesProblems(['pods in ns/<namespace> should start', 'nodes should run'], all, renames),
      [],
    );
  });

  it('reports a rename to nothing, of nothing, and of what is still there', () => {
    assert.deepEqual(
      namesProblems(released, ['nodes should be ready'], {
        'nodes should be ready': 'x',
        y: 'nodes should be ready',
      }),
      [
        '"nodes should be ready" is renamed to "x", which is no name',
        '"nodes should be ready" is renamed, but still there',
        '"y" is renamed, but was never released',
      ],
    );
  });

  it('reports two checks of one name', () => {
    assert.deepEqual(namesProblems(['a', 'a'], [], {}), ['two checks are called "a"']);
  });
});

describe('the released names', () => {
  it('are still those of the framework', () => {
    const own = Object.values(frameworkNames);
    const released = names.released.filter((name) => own.some((one) => one === name));
    assert.deepEqual(namesProblems(own, released, {}), []);
    assert.equal(released.length, own.length);
  });

  it('are listed in order', () => {
    assert.deepEqual(names.released, names.released.toSorted());
  });
});
