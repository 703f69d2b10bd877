import { routeEntries } from '@parley/contracts';
import type { RouteContract } from '@parley/protocol';
import { resources, type Resource } from '@parley/contracts/names';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const frontend = join(import.meta.dirname, '../../frontend/src');

/** What the browser reads under a resource, found in its own source, so that both have one table. */
export type ScreenRead = { readonly route: RouteContract; readonly resources: ReadonlySet<Resource> };

const byRoute = new Map(routeEntries.map(([, route]) => [route.route as string, route]));

/**
 * Resources whose pages don't wait for `resource.changed`. What is named here isn't compared; all else is, with every
 * route that the browser reads under it.
 */
const notCompared: Partial<Record<Resource, string>> = {
  conversations: 'Kept true by sequenced messages; the shared reducer has its own specs.',
  messages: 'Kept true by sequenced messages; the shared reducer has its own specs.',
  'my-answers': 'Read again with the answer that it is about.',
  search: 'Read for each word that is typed.',
  passages: 'What it names never changes.',
  trials: 'Read again while one runs.',
  deliveries: 'Its dialog polls.',
  people: 'Its page polls.',
  metrics: 'Its page polls.',
  'running-answers': 'Its page polls.',
  audit: 'Its page polls.',
  'my-usage': 'Its page polls.',
  spend: 'Its page polls.',
  spenders: 'Its page polls.',
  'group-spend': 'Its page polls.',
  'ledger-entries': 'Its page polls.',
  prices: 'Its page polls.',
  'provider-offers': 'What runs on the machine announces nothing.',
  'all-organisations': 'Page of platform admins, who have no room: it polls.',
  'service-health': 'Page of platform admins, who have no room: it polls.',
  'allowed-addresses': 'Page of platform admins, who have no room: read when it opens.',
  rates: 'Page of platform admins, who have no room: it polls.',
  'sales-terms': 'Page of platform admins, who have no room: read when it opens.',
  'all-orders': 'Page of platform admins, who have no room: it polls.',
  'all-invoices': 'Page of platform admins, who have no room: it polls.',
  'collected-errors': 'Page of platform admins, who have no room: it polls.',
  'error-tests': 'Page of platform admins, who have no room: it polls while one runs.',
  'security-log': 'Page of platform admins, who have no room: it polls.',
  mails: 'Page of platform admins, who have no room: it polls.',
  'my-invitations': 'Belongs to an address, which has no room: its page polls.',
};

/** A query key and the route that is read under it, or a list, whose resource is the last segment of its route. */
const query = /resourceKey\(\s*'([a-z-]+)'(?:(?!resourceKey\()[\s\S]){0,1000}?'(GET [^']+)'/g;
const list = /(?:useList|listQuery)(?:<[^>]*>)?\(\s*'(GET [^']+)'/g;

/** Every route that the browser reads under a resource that messages make old. */
export function screenReads(): ScreenRead[] {
  const found = new Map<string, Set<Resource>>();
  for (const source of sources()) {
    for (const [, resource = '', route = ''] of source.matchAll(query)) note(found, route, resource);
    for (const [, route = ''] of source.matchAll(list)) note(found, route, route.split('/').at(-1) ?? '');
  }
  return [...found].flatMap(([name, under]) => {
    const route = byRoute.get(name);
    if (!route) throw new Error(`The browser reads ${name}, which is no route.`);
    const compared = [...under].filter((resource) => !(resource in notCompared));
    return compared.length === 0 ? [] : [{ route, resources: new Set(compared) }];
  });
}

function note(found: Map<string, Set<Resource>>, route: string, resource: string): void {
  if (!(resource in resources)) throw new Error(`${route} is read under ${resource}, which is no resource.`);
  found.set(route, (found.get(route) ?? new Set()).add(resource as Resource));
}

function sources(): string[] {
  return readdirSync(frontend, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => withRoutes(readFileSync(join(frontend, file), 'utf8')));
}

/** With the routes in the place of the constants that name them. */
function withRoutes(source: string): string {
  const named = source.matchAll(/const (\w+) = ('GET [^']+')/g);
  return [...named].reduce(
    (text, [, name, route]) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), route!),
    source,
  );
}

/** Resources that messages make old and of which nothing is read: the search above would have missed how they are. */
export function unread(reads: readonly ScreenRead[]): Resource[] {
  const read = new Set(reads.flatMap(({ resources: under }) => [...under]));
  return (Object.keys(resources) as Resource[]).filter((name) => !(name in notCompared) && !read.has(name));
}
