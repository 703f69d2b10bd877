// Every route that can be reached from outside, and every socket event, with inputs that are made from the contracts.
import { routeEntries } from '@parley/contracts';
import type { RouteContract } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { Dice } from './dice.ts';
import { Inputs, KnownIds } from './fuzz-inputs.ts';
import { fuzzSockets } from './fuzz-sockets.ts';
import { many, password, type World } from './world.ts';
import type { WatchedClient } from './watched-client.ts';

const atOnce = 6;
const streamMs = 1_500;
const answerMs = 30_000;
const routes = routeEntries.map(([, route]) => route).filter(({ scope }) => scope !== 'internal');

type Actor = {
  readonly name: string;
  readonly client: WatchedClient;
  readonly key: string | null;
  renew(): Promise<void>;
};
export type FuzzOptions = { readonly seed: number; readonly seconds: number };

/** Calls each route as each actor once at least, then goes on until the time is over. Throws at the first 500. */
export async function fuzz(world: World, { seed, seconds }: FuzzOptions): Promise<string> {
  const dice = new Dice(seed);
  const known = new KnownIds();
  const inputs = new Inputs(dice, known);
  const actors = [
    await anOwner(world, 'Fuzzers', known),
    { name: 'nobody', client: world.visitor(), key: null, renew: async () => undefined },
    await anOwner(world, 'Fuzzed', known),
  ];
  const endsAt = performance.now() + seconds * 1_000;
  const before = world.watch.broken.length;
  let [calls, unanswered] = [0, 0];
  do {
    const round = dice.shuffled(routes.flatMap((route) => actors.map((actor) => ({ route, actor }))));
    await many(round.length, atOnce, async (at) => {
      if (calls >= routes.length * actors.length && performance.now() > endsAt) return;
      const { route, actor } = round[at]!;
      calls += 1;
      if ((await callOnce({ route, actor, inputs, dice, known })) === null) unanswered += 1;
    });
  } while (performance.now() < endsAt);
  // The fuzzer signs its people out, too.
  await actors[0]!.renew();
  const emitted = await fuzzSockets(actors[0]!.client, inputs);
  const broken = world.watch.broken.slice(before);
  if (broken.length > 0) throw new Error(`seed ${seed}: 500 to ${broken.join(' | ')}`);
  return `seed ${seed}: ${calls} calls of ${routes.length} routes as ${actors.length} actors (${unanswered} without an answer within ${answerMs / 1_000} s), ${emitted} socket events`;
}

/** Owner of an organisation that nobody watches: what an owner breaks in their own organisation is theirs. */
async function anOwner(world: World, organisation: string, known: KnownIds): Promise<Actor> {
  const client = await world.newPerson({ organisation });
  await world.useModel(client, world.servers.urlOf('quickModel'));
  await world.ask(client, newId('conversation'), 'Hello?');
  await client.upload('herons.md', 'Herons stand.');
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const { secret } = await client.call('POST /api/auth/my-api-keys', {
    body: { id: newId('apiKey'), name: 'Fuzz', permissions: ['chat:read', 'events:read'], endsAt },
  });
  for (const path of [
    '/api/auth/me',
    '/api/org/members',
    '/api/org/roles',
    '/api/chat/conversations',
    '/api/chat/documents',
  ])
    known.learn(await (await client.raw('GET', path)).text());
  let networks = 0;
  return {
    name: organisation,
    client,
    key: secret,
    // Its session ended by its own call, or somebody changed its password: then it is a visitor from now on.
    renew: async () => {
      networks += 1;
      client.address = `100.65.${networks % 250}.7`;
      await client.signIn(client.me?.email ?? '', password).catch(() => undefined);
    },
  };
}

type Parts = {
  readonly route: RouteContract;
  readonly actor: Actor;
  readonly inputs: Inputs;
  readonly dice: Dice;
  readonly known: KnownIds;
};

/** The status; null where none came in time. */
async function callOnce({ route, actor, inputs, dice, known }: Parts): Promise<number | null> {
  const params = recordOf(route.params && inputs.of(route.params));
  const path = route.path.replace(/:(\w+)/g, (_all, name: string) => encoded(params[name] ?? inputs.hostileValue()));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(recordOf(route.query && inputs.of(route.query))))
    query.set(name, wordsOf(value));
  if (dice.chance(0.05)) query.append('limit', '1');
  const isJson = route.body !== undefined;
  const body = isJson
    ? JSON.stringify(inputs.of(route.body))
    : route.rawBodyLimit === undefined
      ? undefined
      : '%PDF-1.7 x';
  try {
    const response = await actor.client.raw(route.method, `${path}${query.size > 0 ? `?${query.toString()}` : ''}`, {
      ...(body !== undefined && { body, contentType: isJson ? 'application/json' : 'application/octet-stream' }),
      ...(path.startsWith('/v1') && actor.key !== null && { headers: { authorization: `Bearer ${actor.key}` } }),
      signal: AbortSignal.timeout(route.stream === undefined ? answerMs : streamMs),
    });
    if (response.status === 401) await actor.renew();
    known.learn(await response.text().catch(() => ''));
    return response.status;
  } catch (error) {
    // A stream goes on until it is left.
    return route.stream !== undefined && error instanceof DOMException ? 0 : null;
  }
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
const encoded = (value: unknown): string => encodeURIComponent(wordsOf(value).slice(0, 4_000).toWellFormed());
