import { parse } from '@babel/parser';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;
type Tag = {
  readonly file: string;
  /** As its file imports it, or writes it. */
  readonly name: string;
  readonly isImported: boolean;
  /** The value of its `role`. */
  readonly role: string | null;
  /** The component that renders it. */
  readonly component: string;
  /** The component only frames the children that it gets. */
  readonly isFilledByOthers: boolean;
};

const tags = new Set(['dialog', 'aside']);
/** Tags of the library, as far as they are imported: our components can have these names, too. */
const importedTags = new Set(['Modal', 'Drawer']);
const roles = new Set(['dialog', 'alertdialog', 'complementary']);

/**
 * Counts the dialogs and panels that each file of a folder renders, by its path: a tag or a role of one, or a component
 * that frames its children with one, such as `SidePanel`.
 */
export function drawnPanels(folder: string): ReadonlyMap<string, number> {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
    .flatMap((file) => tagsOf(file, readFileSync(join(folder, file), 'utf8')));
  const frames = new Set<string>();
  const isPanel = ({ name, isImported, role }: Tag): boolean =>
    tags.has(name) || (isImported && importedTags.has(name)) || frames.has(name) || (role !== null && roles.has(role));
  for (let known = -1; known < frames.size;) {
    known = frames.size;
    for (const tag of all) if (isPanel(tag) && tag.isFilledByOthers) frames.add(tag.component);
  }
  const drawn = new Map<string, number>();
  for (const tag of all)
    if (isPanel(tag) && !frames.has(tag.component)) drawn.set(tag.file, (drawn.get(tag.file) ?? 0) + 1);
  return drawn;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const partsOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

function tagsOf(file: string, code: string): Tag[] {
  const program = parse(code, { sourceType: 'module', plugins: ['typescript', 'jsx'] }).program as unknown as Node;
  const imported = importedNames(program);
  const found: Tag[] = [];
  const walk = (node: Node, component: string): void => {
    const inside = nameOfComponent(node) ?? component;
    if (node.type === 'JSXElement') {
      const { name, role } = opened(node['openingElement'] as Node);
      const called = { name: imported.get(name) ?? name, isImported: imported.has(name), role };
      found.push({ file, ...called, component: inside, isFilledByOthers: passesChildren(node) });
    }
    for (const part of partsOf(node)) walk(part, inside);
  };
  walk(program, '');
  return found;
}

/** By the names that a file gives them, what other files call them. */
function importedNames(program: Node): Map<string, string> {
  const names = new Map<string, string>();
  for (const statement of program['body'] as Node[]) {
    if (statement.type !== 'ImportDeclaration') continue;
    for (const specifier of statement['specifiers'] as Node[])
      if (specifier.type === 'ImportSpecifier') names.set(nameOf(specifier['local']), nameOf(specifier['imported']));
  }
  return names;
}

const nameOf = (node: unknown): string => (isNode(node) && typeof node['name'] === 'string' ? node['name'] : '');

/** The name that a function has, itself or by the constant that holds it, where it is that of a component. */
function nameOfComponent(node: Node): string | null {
  const name = ['FunctionDeclaration', 'VariableDeclarator'].includes(node.type) ? nameOf(node['id']) : '';
  return /^[A-Z]/.test(name) ? name : null;
}

/** `Modal.Root` is a Modal; its other parts are in it. */
function opened({ name: tag, attributes }: Node): { readonly name: string; readonly role: string | null } {
  const parts = isNode(tag) && tag.type === 'JSXMemberExpression' ? tag : null;
  const name = parts ? (nameOf(parts['property']) === 'Root' ? nameOf(parts['object']) : '') : nameOf(tag);
  const role = (attributes as Node[]).find((attribute) => nameOf(attribute['name']) === 'role')?.['value'];
  return { name, role: isNode(role) && typeof role['value'] === 'string' ? role['value'] : null };
}

/** Says whether the element has the `children` of its component in it. */
function passesChildren(element: Node): boolean {
  return (element['children'] as Node[]).some(function isIn(node: Node): boolean {
    return (node.type === 'Identifier' && node['name'] === 'children') || partsOf(node).some(isIn);
  });
}
