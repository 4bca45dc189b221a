/** The page that the terminal summary is set on: its width, its colours, and how lines are laid out. */
import { styleText } from 'node:util';
import type { Verdict } from '../core/result.ts';
import { cut, plain, width, wrap } from './width.ts';

type Style = Parameters<typeof styleText>[0];

export interface Page {
  readonly columns: number;
  readonly paint: (style: Style, text: string) => string;
}

export const verdictStyles = {
  fail: ['red', 'bold'],
  flake: 'yellow',
  error: 'magenta',
  pass: 'green',
  skip: 'gray',
} as const satisfies Record<Verdict, Style>;

export function pageOf(columns: number, color: boolean): Page {
  return {
    // Labels and figures alone need some room.
    columns: Math.max(columns, 60),
    // Whether there are colours was decided by whoever asks: not by what stdout is here.
    paint: (style, text) => (color ? styleText(style, text, { validateStream: false }) : text),
  };
}

export interface Hang {
  readonly label: string;
  readonly style?: Style;
  readonly text: string;
  /** What does not fit into so many lines is cut. */
  readonly lines?: number;
}

/** A label and beside it the text, wrapped, each line as far in as the first. */
export function hang(page: Page, { label, style, text, lines }: Hang): readonly string[] {
  const indent = width(label);
  const room = page.columns - indent;
  const wrapped = wrap(plain(text), room);
  const shown = wrapped.slice(0, lines);
  const painted = style === undefined ? label : page.paint(style, label);
  const last = shown.length < wrapped.length ? wrapped.slice(shown.length - 1) : shown.slice(-1);
  return [...shown.slice(0, -1), cut(last.join(' '), room)].map((line, index) =>
    (index === 0 ? `${painted}${line}` : `${' '.repeat(indent)}${line}`).trimEnd(),
  );
}

/** A command on one line, however long: what is wrapped cannot be copied and run. */
export function commandLine(page: Page, indent: string, command: string): string {
  return `${indent}${page.paint('dim', '$ ')}${plain(command)}`;
}

/** Text at the left and, in its own colours, text at the right edge. */
export function spread(page: Page, left: string, right: string, paintedRight: string): string {
  const room = page.columns - width(right) - 2;
  const shown = cut(plain(left), room);
  return `${page.paint('bold', shown)}${' '.repeat(room - width(shown) + 2)}${paintedRight}`;
}
