// The pages of docs/reference that are written from the code, by `npm run docs:reference`.
import {
  eventDefinitions,
  keyPermissions,
  orgRoles,
  permissions,
  permissionsOf,
  problemCatalogue,
  routeEntries,
  type Permission,
} from '@parley/contracts';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const home = join(import.meta.dirname, '..');
const mark = '<!-- made by npm run docs:reference -->';
const read = (file: string): string => readFileSync(join(home, file), 'utf8');
const code = (text: string): string => `\`${text}\``;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const part = (...parts: readonly string[]): string => `${[mark, ...parts].join('\n\n')}\n`;

/** Groups by what is before the first dot, in the order of the first of each. */
const byPart = <Item>(items: readonly Item[], nameOf: (item: Item) => string): [string, Item[]][] => [
  ...Map.groupBy(items, (item) => nameOf(item).split('.')[0]!),
];

function problems(): string {
  const groups = byPart(Object.entries(problemCatalogue), ([name]) => name);
  return part(
    ...groups.map(
      ([service, entries]) =>
        `## ${service}\n\n${table(
          ['Code', 'Status', 'Title'],
          entries.map(([name, { status, title }]) => [code(name), String(status), title]),
        )}`,
    ),
  );
}

/** The names that screens give permissions, by the permission. */
function permissionNames(): ReadonlyMap<string, string> {
  const source = read('frontend/src/domain/permission/permission-catalogue.ts');
  const entries = source.matchAll(/'([a-z_]+:[a-z_]+)': \{\s*id: '[^']+',\s*defaultMessage: '([^']+)'/g);
  return new Map([...entries].map(([, permission, name]) => [permission!, name!]));
}

function permissionPage(): string {
  const names = permissionNames();
  const routesOf = (wanted: Permission): string[] =>
    routeEntries.flatMap(([, { route, permission }]) => (permission === wanted ? [code(route)] : []));
  const has = (role: (typeof orgRoles)[number], permission: Permission): string =>
    permissionsOf(role).includes(permission) ? '✓' : '';
  return part(
    `## Built-in roles\n\n${table(
      ['Permission', 'What it allows', ...orgRoles],
      permissions.map((one) => [
        code(one),
        names.get(one) ?? 'Be in the organisation',
        ...orgRoles.map((role) => has(role, one)),
      ]),
    )}`,
    `API keys can have all of these except ${permissions
      .filter((one) => !keyPermissions.includes(one))
      .map(code)
      .join(', ')}.`,
    '## Routes',
    ...permissions.map((one) => {
      const routes = routesOf(one);
      return `### ${code(one)}\n\n${routes.length > 0 ? routes.map((route) => `- ${route}`).join('\n') : 'No route asks for it alone.'}`;
    }),
  );
}

/** The comments before `defineEvent`, by the type of the event. */
function eventComments(): ReadonlyMap<string, string> {
  const files = globSync('packages/contracts/src/**/*.ts', { cwd: home });
  const found = /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*export const \w+ = defineEvent\(\s*'([^']+)'/g;
  const words = (comment: string): string => comment.replaceAll(/\s*\n\s*\*\s?/g, ' ').trim();
  return new Map(
    files.flatMap((file) => [...read(file).matchAll(found)].map(([, comment, type]) => [type!, words(comment!)])),
  );
}

function events(): string {
  const comments = eventComments();
  const groups = [...Map.groupBy(eventDefinitions, ({ topic }) => topic)];
  const fields = (names: readonly string[] | null): string => (names ? names.map(code).join(', ') : '–');
  return part(
    ...groups.map(
      ([topic, definitions]) =>
        `## ${code(topic)}\n\n${table(
          ['Event', 'Key', 'Fields for programs', 'Audit log'],
          definitions.map(({ type, key, outside, audit }) => [
            comments.has(type) ? `${code(type)}: ${comments.get(type)!}` : code(type),
            code(key),
            fields(outside),
            typeof audit === 'function' ? 'yes' : 'no',
          ]),
        )}`,
    ),
  );
}

const pages = {
  'docs/reference/events.md': events,
  'docs/reference/permissions.md': permissionPage,
  'docs/reference/problems.md': problems,
};
export type ReferencePage = { readonly path: string; readonly kept: string; readonly made: string };

/** Returns each page as it is, and with the part behind its mark as the code says. */
export const referencePages = (): ReferencePage[] =>
  Object.entries(pages).map(([path, made]) => {
    const kept = read(path);
    return { path, kept, made: kept.slice(0, kept.indexOf(mark)) + made() };
  });
