import { parse, type ParserOptions } from '@babel/parser';

/** Any node of a syntax tree, whose children are found by looking at all its fields. */
export type Syntax = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>;

/** Where a pattern can occur; what replaces a match is written in the same way. */
export type PatternKind = 'expression' | 'property' | 'statement' | 'member';

/** Says nothing about what the code does: positions, comments, parentheses and the quotes of a string. */
const formatting = new Set([
  'start',
  'end',
  'loc',
  'range',
  'extra',
  'comments',
  'errors',
  'leadingComments',
  'trailingComments',
  'innerComments',
]);

const options = (filename: string): ParserOptions => ({
  sourceType: 'module',
  plugins: ['typescript', 'decorators-legacy', ...(filename.endsWith('.tsx') ? (['jsx'] as const) : [])],
  allowReturnOutsideFunction: true,
  attachComment: false,
});

const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** Parses a file of TypeScript; throws a SyntaxError where it is not one. */
export function parseFile(source: string, filename: string): Syntax {
  const { program } = parse(source, options(filename));
  return program as unknown as Syntax;
}

/** How code of each kind is read, in the order in which a pattern is tried: `{ _id: id }` is first of all an object. */
const readings: Readonly<Record<PatternKind, { readonly wrap: readonly [string, string]; readonly path: string }>> = {
  expression: { wrap: ['(', '\n)'], path: 'body.0.expression' },
  property: { wrap: ['({', '\n})'], path: 'body.0.expression.properties' },
  statement: { wrap: ['for (;;) {', '\n}'], path: 'body.0.body.body' },
  member: { wrap: ['class Any {', '\n}'], path: 'body.0.body.body' },
};

/** Parses code of one kind: all of its nodes, none where it is empty. Throws a SyntaxError where it is another kind. */
export function parseAs(kind: PatternKind, code: string): Syntax[] {
  const { wrap, path } = readings[kind];
  const program = parseFile(wrap[0] + code + wrap[1], '');
  const found = path.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], program);
  return (Array.isArray(found) ? found : [found]) as Syntax[];
}

/** Reads a pattern as one expression, property, statement or member of a class; throws where it is none or several. */
export function parsePattern(pattern: string): { readonly kind: PatternKind; readonly node: Syntax } {
  for (const kind of Object.keys(readings) as PatternKind[]) {
    try {
      const [node, ...others] = parseAs(kind, pattern);
      if (node && others.length === 0) return { kind, node };
    } catch {
      // Perhaps it is one of the next kind.
    }
  }
  throw new SyntaxError(`"${pattern}" is not one expression, property, statement or member of a class.`);
}

/** Adds a node and all below it to a list, each before its children. */
export function nodesOf(node: Syntax, list: Syntax[] = []): Syntax[] {
  list.push(node);
  for (const [key, value] of Object.entries(node)) {
    if (formatting.has(key)) continue;
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isSyntax(child)) nodesOf(child, list);
  }
  return list;
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === false;

/** True where two trees mean the same code, however each is formatted. */
export function isSameSyntax(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null)
    return one === other || (isNothing(one) && isNothing(other));
  const [mine, theirs] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
    .filter((key) => !formatting.has(key))
    .every((key) => isSameSyntax(mine[key], theirs[key]));
}
