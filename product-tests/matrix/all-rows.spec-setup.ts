import { routeEntries, type RouteName } from '@parley/contracts';
import type { RouteContract } from '@parley/protocol';
import { readdirSync } from 'node:fs';
import type { Row } from './rows.spec-setup.ts';

type Rows = Partial<Record<RouteName, Row>>;

/** What the files beside this one export: a feature's rows are in `<feature>.rows.spec-setup.ts`. */
const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.rows.spec-setup.ts'));
const parts = await Promise.all(
  files.map(async (file) => Object.values((await import(`./${file}`)) as Readonly<Record<string, Rows>>)),
);
const rows = Object.assign({}, ...parts.flat()) as Rows;

/** Every route that a browser can reach, with its row; internal ones have none: the door never forwards them. */
export const outsideRoutes = routeEntries
  .filter(([, { scope }]) => scope !== 'internal')
  .map(([name, route]): [RouteName, RouteContract, Row] => {
    const row = rows[name];
    if (!row) throw new Error(`${name} has no row: ${route.path} would be tried by nobody.`);
    return [name, route, row];
  });
