/** A JUnit file as its readers see it: strict XML 1.0, then suites and cases. */
import { SaxesParser } from 'saxes';

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Its own character data, CDATA included. */
  readonly text: string;
}

/** Throws what is wrong, with line and column. */
export function parseXml(text: string): Element {
  const root = open('', {});
  const stack = [root];
  const append = (data: string) => {
    const top = stack.at(-1);
    if (top) top.text += data;
  };
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = open(name, attributes);
    stack.at(-1)?.children.push(element);
    stack.push(element);
  });
  parser.on('closetag', () => stack.pop());
  parser.on('text', append);
  parser.on('cdata', append);
  parser.write(text).close();
  const [document = root] = root.children;
  return document;
}

interface OpenElement extends Element {
  readonly children: OpenElement[];
  text: string;
}

const open = (name: string, attributes: Readonly<Record<string, string>>): OpenElement => ({
  name,
  attributes,
  children: [],
  text: '',
});

/** All elements of that name, at any depth. */
export function all(element: Element, name: string): readonly Element[] {
  const below = element.children.flatMap((child) => all(child, name));
  return element.name === name ? [element, ...below] : below;
}

export interface Case {
  readonly classname: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly properties: Readonly<Record<string, string>>;
  readonly failure?: Element;
  readonly skipped?: Element;
  readonly output: string;
}

export function casesOf(root: Element): readonly Case[] {
  return all(root, 'testcase').map((element) => {
    const child = (name: string) => element.children.find((one) => one.name === name);
    const failure = child('failure');
    const skipped = child('skipped');
    return {
      classname: element.attributes['classname'] ?? '',
      name: element.attributes['name'] ?? '',
      attributes: element.attributes,
      properties: Object.fromEntries(
        all(element, 'property').map(({ attributes }) => [attributes['name'], attributes['value']]),
      ),
      ...(failure && { failure }),
      ...(skipped && { skipped }),
      output: child('system-out')?.text ?? '',
    };
  });
}

/** Cases of one name and class, in the order of the file. */
export function testsOf(cases: readonly Case[]): readonly (readonly Case[])[] {
  return [...Map.groupBy(cases, ({ classname, name }) => `${classname}\n${name}`).values()];
}

export type Status = 'pass' | 'fail' | 'flake' | 'skip';

export const statusOf = ({ failure, skipped }: Case): Exclude<Status, 'flake'> =>
  skipped ? 'skip' : failure ? 'fail' : 'pass';

/** What Sippy makes of a file: it merges by name, whatever the class. */
export function sippyStatuses(cases: readonly Case[]): ReadonlyMap<string, Status> {
  const byName = Map.groupBy(cases, ({ name }) => name);
  return new Map(
    [...byName].map(([name, members]) => [name, merged(new Set(members.map(statusOf)))]),
  );
}

function merged(statuses: ReadonlySet<Status>): Status {
  if (statuses.has('fail')) return statuses.has('pass') ? 'flake' : 'fail';
  return statuses.has('pass') ? 'pass' : 'skip';
}
