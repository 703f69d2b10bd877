import { isSameSyntax, nodesOf, parseAs, parseFile, parsePattern, type PatternKind, type Syntax } from './syntax.ts';

/** One fault: in `file`, the only node that is `find` becomes `put`. `spec` must then have a red test. */
export type Fault = {
  /** What would be broken, as a sentence for the report. */
  readonly breaks: string;
  /** Relative to the root, like `spec`. */
  readonly file: string;
  /** The function, method, class or variable in which the node lies; null for anywhere in the file. */
  readonly within: string | null;
  /** An expression, a property, a statement (with its semicolon) or a member of a class. */
  readonly find: string;
  /** The same kind of code as `find`; empty where the statement is gone. */
  readonly put: string;
  /** The narrow spec that has to notice. */
  readonly spec: string;
};

type Change = Omit<Fault, 'breaks' | 'spec'>;

/** The name under which a node is declared, if it is a function, a member, a class or a variable. */
function nameOf(node: Syntax): string | undefined {
  if (!/^(?:FunctionDeclaration|Class|ObjectMethod|ObjectProperty|VariableDeclarator)/.test(node.type))
    return undefined;
  const named = (node['key'] ?? node['id']) as {
    readonly name?: string;
    readonly id?: { readonly name: string };
  } | null;
  return named?.name ?? named?.id?.name;
}

/**
 * Finds the only node that the fault changes; formatting, quotes and comments do not matter. Throws where there is no
 * such node or more than one, and where `put` is not the same kind of code as `find`.
 *
 * @param nodes All nodes of `fault.file`.
 */
export function locate(nodes: readonly Syntax[], { file, within, find, put }: Change): Syntax & { kind: PatternKind } {
  const { kind, node: pattern } = parsePattern(find);
  parseAs(kind, put);
  const areas = within === null ? null : nodes.filter((node) => nameOf(node) === within);
  const isInside = ({ start, end }: Syntax) => !areas || areas.some((area) => area.start <= start && end <= area.end);
  const found = nodes.filter((node) => node.type === pattern.type && isInside(node) && isSameSyntax(node, pattern));
  const [match] = found;
  if (match && found.length === 1) return { ...match, kind };
  throw new Error(`found ${found.length} times in ${file}${within === null ? '' : `, within ${within}`}: ${find}`);
}

/** Returns the source of `fault.file` with the fault in it. Throws where it does not fit, see {@link locate}. */
export function plant(source: string, fault: Change): string {
  const { start, end, kind } = locate(nodesOf(parseFile(source, fault.file)), fault);
  // An expression in brackets, so that it stays one operand where `find` was one.
  const put = kind === 'expression' ? `(${fault.put})` : kind === 'statement' ? fault.put || ';' : fault.put;
  const planted = source.slice(0, start) + put + source.slice(end);
  parseFile(planted, fault.file);
  return planted;
}
