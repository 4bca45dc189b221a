/** Matches a name against a pattern in time proportional to both, whatever they hold. */
import type { Part, Pattern, Run } from './pattern.ts';

/** The names of a cluster's nodes, ready to be looked for inside other names. */
export interface NodeNames {
  readonly all: ReadonlySet<string>;
  readonly lengths: readonly number[];
}

export function nodeNames(names: readonly string[]): NodeNames {
  return { all: new Set(names), lengths: [...new Set(names.map((name) => name.length))] };
}

/** No object has a longer name, and a longer text gets no time. */
const longestName = 253;

/** Without nodes, a `<node>` is any text that can name one. */
export function matchesPattern(pattern: Pattern, name: string, nodes?: NodeNames): boolean {
  if (name.length > longestName) return false;
  // All the ends that the parts so far can have, instead of trying one after the other.
  let ends: ReadonlySet<number> = new Set([0]);
  for (const part of pattern.parts) ends = endsOf(part, { name, starts: ends, nodes });
  return ends.has(name.length);
}

interface Progress {
  readonly name: string;
  readonly starts: ReadonlySet<number>;
  readonly nodes: NodeNames | undefined;
}

function endsOf(part: Part, progress: Progress): ReadonlySet<number> {
  const { name, starts, nodes } = progress;
  if ('run' in part) return endsOfRun(part.run, progress);
  if ('literal' in part) {
    const found = [...starts].filter((start) => name.startsWith(part.literal, start));
    return new Set(found.map((start) => start + part.literal.length));
  }
  if (!nodes) return endsOfRun(part.node, progress);
  const ends = [...starts].flatMap((start) =>
    nodes.lengths
      .map((length) => start + length)
      .filter((end) => nodes.all.has(name.slice(start, end))),
  );
  return new Set(ends);
}

function endsOfRun(run: Run, { name, starts }: Progress): ReadonlySet<number> {
  const ends = new Set<number>();
  let begin = 0;
  let latest = -1;
  for (let end = 1; end <= name.length; end++) {
    const last = name.charAt(end - 1);
    if (!run.characters.includes(last)) begin = end;
    // The latest start that leaves room for the shortest run: if it is too early, all are.
    const start = end - run.shortest;
    if (starts.has(start) && run.edges.includes(name.charAt(start))) latest = start;
    const isReached = latest >= Math.max(begin, end - run.longest);
    if (isReached && run.edges.includes(last)) ends.add(end);
  }
  return ends;
}
