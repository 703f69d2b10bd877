import { routeEntries } from '@parley/contracts';
import { Problem, type RouteContract } from '@parley/protocol';

type Entry = { readonly route: RouteContract; readonly pattern: RegExp };

const segmentsOf = (path: string): number => path.split('/').length;

const entries = Map.groupBy(
  routeEntries
    .map(([, route]) => route)
    .filter((route) => route.scope !== 'internal')
    .map((route): Entry => {
      const pattern = new RegExp(`^${route.path.replaceAll(/:[A-Za-z]+/g, '[A-Za-z0-9_-]{1,64}')}$`);
      return { route, pattern };
    }),
  ({ route }) => segmentsOf(route.path),
);

/**
 * The route of a request, from the contracts and nothing else: what no contract names is never forwarded. Encoded,
 * dotted or doubled separators match no pattern, so they cannot steer a request elsewhere. No two routes share an
 * address, which their spec sees to.
 */
export function findRoute(method: string, path: string): RouteContract {
  const onPath = (entries.get(segmentsOf(path)) ?? []).filter(({ pattern }) => pattern.test(path));
  const found = onPath.find(({ route }) => route.method === method);
  if (found) return found.route;
  throw new Problem(onPath.length > 0 ? 'platform.method-not-allowed' : 'platform.not-found');
}
