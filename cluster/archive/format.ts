/** What a reader of one input format is. One in a file NAME.format.ts of this folder is found by itself. */
import type { Kind } from '../../core/kinds.ts';
import type { InputKind, Snapshot } from '../../core/snapshot.ts';
import type { Files } from '../files/files.ts';
import type { Limits } from '../files/limits.ts';

export interface Format {
  /** As it is called in messages. */
  readonly name: string;
  /** What its inputs are, where they were not read far enough to tell. */
  readonly inputKind: InputKind;
  /** How many folders above what it recognises; the format that recognises the most shallow one reads. */
  recognizes(files: Files): number | undefined | Promise<number | undefined>;
  /** Reads several inputs of the format as one. */
  read(inputs: readonly Files[], request: Request): Promise<Snapshot>;
}

export interface Request {
  readonly kinds: readonly Kind[];
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
  /** What a person should know of the reading and no check depends on. */
  readonly notice: (message: string) => void;
}

/** What a reading says of its inputs. */
export function readingOf(kind: InputKind, inputs: readonly Files[]) {
  return {
    input: { kind, name: inputs.map(({ name }) => name).join(', ') },
    complete: inputs.every(({ damage }) => damage === undefined),
  };
}
