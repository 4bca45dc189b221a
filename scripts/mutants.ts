/** Small mistakes that somebody could make in a rule: each is one change of one place in its source. */
import type { Node } from 'oxc-parser';
import { parseSync } from 'oxc-parser';

export interface Mutant {
  readonly operator: Operator;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly line: number;
  /** What stands there. */
  readonly original: string;
}

export const operators = {
  relational: 'a comparison is another one',
  arithmetic: 'a calculation or a rounding is another one',
  boolean: 'and is or, not is left out, some is every',
  default: 'a default is left out or another one',
  guard: 'a guard or a filter is left out',
  literal: 'a number or a word is another one',
} as const;
export type Operator = keyof typeof operators;

type Found = Pick<Mutant, 'operator' | 'start' | 'end' | 'replacement'>;
type AnyNode = Node & { readonly start: number; readonly end: number };

const relations: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
const sums: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' };
const calls: Readonly<Record<string, string>> = {
  floor: 'ceil',
  ceil: 'floor',
  max: 'min',
  min: 'max',
};
const quantifiers: Readonly<Record<string, string>> = { some: 'every', every: 'some' };

/** Of the rule only: what a check says of itself is not judged by its fixtures. */
export function mutantsOf(source: string): readonly Mutant[] {
  const { program } = parseSync('check.ts', source);
  const found: Found[] = [];
  const visit = (node: AnyNode, parents: readonly AnyNode[]) => {
    if (isOutside(node, parents)) return;
    found.push(...changesOf(node, parents, source));
    for (const child of childrenOf(node)) visit(child, [node, ...parents]);
  };
  visit(program as AnyNode, []);
  return found.map((one) => ({
    ...one,
    line: source.slice(0, one.start).split('\n').length,
    original: source.slice(one.start, one.end),
  }));
}

function childrenOf(node: AnyNode): readonly AnyNode[] {
  return Object.values(node).flatMap((value) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter(isNode);
  });
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const rules = ['run', 'isInForce', 'cap'];

/** Types, imports and what defineCheck is told beside the rule. */
function isOutside(node: AnyNode, [parent, grand]: readonly AnyNode[]): boolean {
  if (/^(Import|TS(?!As|NonNull|Satisfies))/.test(node.type)) return true;
  if (node.type !== 'Property' || parent?.type !== 'ObjectExpression') return false;
  const isCheck =
    grand?.type === 'CallExpression' &&
    grand.callee.type === 'Identifier' &&
    grand.callee.name === 'defineCheck';
  return isCheck && !(node.key.type === 'Identifier' && rules.includes(node.key.name));
}

function changesOf(node: AnyNode, parents: readonly AnyNode[], source: string): readonly Found[] {
  const text = (part: AnyNode) => source.slice(part.start, part.end);
  const change = (operator: Operator, replacement: string, { start, end } = node): Found => ({
    operator,
    start,
    end,
    replacement,
  });
  switch (node.type) {
    case 'BinaryExpression': {
      const [left, right] = [node.left as AnyNode, node.right as AnyNode];
      const place = { ...node, start: left.end, end: right.start };
      const relation = relations[node.operator];
      if (relation) return [change('relational', ` ${relation} `, place)];
      const sum = sums[node.operator];
      const isText = [left, right].some((side) => side.type === 'TemplateLiteral' || isWord(side));
      return sum && !isText ? [change('arithmetic', ` ${sum} `, place)] : [];
    }
    case 'LogicalExpression': {
      const [left, right] = [node.left as AnyNode, node.right as AnyNode];
      if (node.operator === '??') {
        const value = otherValue(right, source);
        return [
          change('default', `(${text(left)})!`),
          ...(value === undefined ? [] : [change('default', value, right)]),
        ];
      }
      const other = node.operator === '&&' ? '||' : '&&';
      return [
        change('boolean', `((${text(left)}) ${other} (${text(right)}))`),
        change('guard', `(${text(left)})`),
        change('guard', `(${text(right)})`),
      ];
    }
    case 'UnaryExpression':
      return node.operator === '!'
        ? [change('boolean', `(${text(node.argument as AnyNode)})`)]
        : [];
    case 'AssignmentPattern': {
      const value = otherValue(node.right as AnyNode, source);
      return value === undefined ? [] : [change('default', value, node.right as AnyNode)];
    }
    case 'CallExpression':
      return callChanges(node, text, change);
    case 'IfStatement':
      return [
        change('guard', 'false', node.test as AnyNode),
        change('guard', 'true', node.test as AnyNode),
      ];
    case 'ConditionalExpression':
      return [
        change('guard', 'false', node.test as AnyNode),
        change('guard', 'true', node.test as AnyNode),
      ];
    case 'Literal':
      return literalChanges(node, parents, change);
    default:
      return [];
  }
}

function callChanges(
  node: Extract<AnyNode, { type: 'CallExpression' }>,
  text: (part: AnyNode) => string,
  change: (operator: Operator, replacement: string, place?: AnyNode) => Found,
): readonly Found[] {
  const { callee } = node;
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return [];
  const { name } = callee.property;
  const property = callee.property as AnyNode;
  const other = calls[name];
  if (other && text(callee.object as AnyNode) === 'Math')
    return [change('arithmetic', other, property)];
  const quantifier = quantifiers[name];
  if (quantifier) return [change('boolean', quantifier, property)];
  return name === 'filter' ? [change('guard', text(callee.object as AnyNode))] : [];
}

/** Words of messages and patches are compared as they are: there is nothing to be found out. */
function literalChanges(
  node: Extract<AnyNode, { type: 'Literal' }>,
  [parent]: readonly AnyNode[],
  change: (operator: Operator, replacement: string) => Found,
): readonly Found[] {
  if (parent?.type === 'Property' || parent?.type === 'AssignmentPattern') return [];
  if (parent?.type === 'LogicalExpression') return [];
  if (typeof node.value === 'number') return [change('literal', String(node.value + 1))];
  if (typeof node.value === 'boolean') return [change('literal', String(!node.value))];
  const isCompared =
    parent?.type === 'BinaryExpression' ||
    parent?.type === 'SwitchCase' ||
    parent?.type === 'ArrayExpression';
  return isCompared && typeof node.value === 'string'
    ? [change('literal', JSON.stringify(`${node.value}-`))]
    : [];
}

const isWord = (node: AnyNode) => node.type === 'Literal' && typeof node.value === 'string';

/** Another default of the same type. */
function otherValue(node: AnyNode, source: string): string | undefined {
  if (node.type === 'Literal') {
    if (typeof node.value === 'number') return String(node.value + 1);
    if (typeof node.value === 'string') return JSON.stringify(`${node.value}-`);
    if (typeof node.value === 'boolean') return String(!node.value);
  }
  return source.slice(node.start, node.end) === 'undefined' ? '1' : undefined;
}
