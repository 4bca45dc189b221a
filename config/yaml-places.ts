/** Where each key and value of a YAML document stands, and what makes it no document of ours. */
import type { Event, ScalarEvent } from 'js-yaml';
import { EVENT_ID, getScalarValue, SCALAR_STYLE } from 'js-yaml';
import type { Position } from './problems.ts';

export interface Place {
  readonly position: Position;
  /** Where the key of the value stands; in a list, the value itself. */
  readonly key: Position;
  readonly children: ReadonlyMap<string, Place>;
}

export interface Fault {
  readonly position: Position;
  readonly text: string;
}

interface Source {
  readonly text: string;
  readonly rest: Iterator<Event, undefined>;
  readonly positionAt: (offset: number) => Position;
  readonly faults: Fault[];
}

/** Walks the parser's events once; how deep they nest, the parser has bounded. */
export function placesOf(
  events: readonly Event[],
  text: string,
  positionAt: (offset: number) => Position,
): { readonly root: Place | undefined; readonly faults: readonly Fault[] } {
  const source: Source = { text, rest: events.values(), positionAt, faults: [] };
  const documents: Place[] = [];
  while (!source.rest.next().done) {
    for (const event of inside(source)) documents.push(read(source, event, positionAt(0)));
  }
  const [root, second] = documents;
  const { faults } = source;
  if (second) faults.push({ position: second.position, text: 'expected one document in the file' });
  return { root, faults };
}

/** The events of a document or collection, up to the one that closes it. */
function* inside({ rest }: Source): Generator<Event, undefined> {
  for (let next = rest.next(); !next.done; next = rest.next()) {
    if (next.value.type === EVENT_ID.POP) return;
    yield next.value;
  }
}

/** An empty value has no place of its own: it gets that of what is around it. */
function read(source: Source, event: Event, around: Position): Place {
  const offset = offsetOf(event);
  const position = offset === undefined ? around : source.positionAt(offset);
  if (event.type === EVENT_ID.ALIAS) {
    source.faults.push({ position, text: 'an alias is not accepted here: write the value out' });
  }
  const children = new Map<string, Place>();
  if (event.type === EVENT_ID.MAPPING) readPairs(source, position, children);
  if (event.type === EVENT_ID.SEQUENCE) {
    for (const item of inside(source)) {
      children.set(String(children.size), read(source, item, position));
    }
  }
  return { position, key: position, children };
}

function readPairs(source: Source, around: Position, children: Map<string, Place>): void {
  const events = inside(source);
  for (const event of events) {
    const key = read(source, event, around).position;
    const value = events.next().value;
    const name = event.type === EVENT_ID.SCALAR ? getScalarValue(source.text, event) : undefined;
    const fault = faultOf(name, children.get(name ?? ''));
    if (fault !== undefined) source.faults.push({ position: key, text: fault });
    const place = value && read(source, value, key);
    if (place && name !== undefined) children.set(name, { ...place, key });
  }
}

function faultOf(key: string | undefined, former: Place | undefined): string | undefined {
  if (key === undefined) return 'expected plain text as a key';
  // Harmless in the parser's objects, but not in every object that is made of them.
  if (key === '__proto__') return 'the key __proto__ is not accepted';
  return former && `duplicate key ${JSON.stringify(key)}, first on line ${former.key.line}`;
}

function offsetOf(event: Event): number | undefined {
  switch (event.type) {
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return event.start;
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1;
    case EVENT_ID.SCALAR:
      return event.valueStart < 0 ? undefined : event.valueStart - quotationMark(event);
    default:
      return undefined;
  }
}

/** The text of a quoted scalar starts behind its quotation mark. */
function quotationMark({ style }: ScalarEvent): number {
  return style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED ? 1 : 0;
}
