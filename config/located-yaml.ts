/** Parses one YAML document so that each of its keys and values is known by line and column. */
import { constructFromEvents, parseEvents, YAMLException } from 'js-yaml';
import { positionsIn } from './lines.ts';
import type { Checked, Position } from './problems.ts';
import type { Place } from './yaml-places.ts';
import { placesOf } from './yaml-places.ts';

export interface YamlDocument {
  readonly file: string;
  /** Undefined where the file holds no document. */
  readonly value: unknown;
  /** Where the value at a path stands; of what is absent, what would hold it. */
  positionOf(path: readonly PropertyKey[]): Position;
  /** Where the key of the value at a path stands. */
  keyPositionOf(path: readonly PropertyKey[]): Position;
}

/** Deeper than any file of ours, and shallow enough to walk. */
const maxDepth = 20;

/** Ten thousand exceptions are half of it: what is larger only costs time. */
const eventsAtMost = 400_000;

/**
 * By YAML 1.2's core schema: a date stays a text, and no tag makes anything but plain data. Aliases
 * are refused, so that a small file cannot stand for a large one.
 */
export function parseYaml(file: string, text: string): Checked<YamlDocument> {
  const positionAt = positionsIn(text);
  try {
    const events = parseEvents(text, { maxDepth });
    if (events.length > eventsAtMost) {
      return { ok: false, problems: [{ file, text: 'holds too many keys and values' }] };
    }
    const { root, faults } = placesOf(events, text, positionAt);
    if (faults.length > 0) {
      return { ok: false, problems: faults.map((fault) => ({ file, ...fault })) };
    }
    const [value] = constructFromEvents(events, { source: text });
    return { ok: true, value: documentOf(file, value, root) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { line = 0, column = 0 } = error.mark ?? {};
    const position = { line: line + 1, column: column + 1 };
    return { ok: false, problems: [{ file, position, text: error.reason }] };
  }
}

const nowhere: Place = {
  position: { line: 1, column: 1 },
  key: { line: 1, column: 1 },
  children: new Map(),
};

function documentOf(file: string, value: unknown, root: Place = nowhere): YamlDocument {
  return {
    file,
    value,
    positionOf: (path) => find(root, path).position,
    keyPositionOf: (path) => find(root, path).key,
  };
}

function find(root: Place, path: readonly PropertyKey[]): Place {
  let found = root;
  for (const step of path) {
    const next = found.children.get(String(step));
    if (!next) return found;
    found = next;
  }
  return found;
}
