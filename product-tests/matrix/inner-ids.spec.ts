import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { outsideRoutes } from './all-rows.spec-setup.ts';
import type { World } from './rows.spec-setup.ts';
import { Scene } from './scene.spec-setup.ts';

/** Clients make ids beside the `id` of a body, too: of messages, answers, members of a list. */
let scene: Scene;
/** Holds the other organisation. Requests by its owner name only its own things, apart from the id under test. */
let elsewhere: World;

beforeAll(async () => {
  scene = await Scene.start();
  elsewhere = await scene.otherWorld();
}, 120_000);
afterAll(() => scene.close());

type Place = readonly string[];
const id = /^[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}$/;

function idsIn(value: unknown, place: Place = []): { readonly place: Place; readonly id: string }[] {
  if (typeof value === 'string') return id.test(value) ? [{ place, id: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => idsIn(inner, [...place, key]));
}

/** The same value with this id at the place. */
function withIdAt(value: unknown, [key, ...rest]: Place, taken: string): unknown {
  if (key === undefined) return taken;
  const copy: Record<string, unknown> = Array.isArray(value) ? (value.slice() as never) : { ...(value as object) };
  copy[key] = withIdAt(copy[key], rest, taken);
  return copy;
}

const changes = outsideRoutes
  .map(([name, route, row]) => ({ name, route, row }))
  .filter(({ route, row }) => {
    const isChange = route.scope === 'organisation' && route.method !== 'GET' && row.refused === undefined;
    return isChange && route.body !== undefined && route.rawBodyLimit === undefined;
  });
const tried = new Set<string>();

test.each(changes)('$name takes no id of another organisation inside its body', async ({ name, route, row }) => {
  const [request, other] = [await row.request(scene.world), await row.request(scene.world)];
  const known = new Set(idsIn(other.body).map(({ id: same }) => same));
  const made = idsIn(request.body).filter(({ place, id: own }) => place.join('.') !== 'id' && !known.has(own));
  if (made.length === 0) return;
  const { status: first } = await scene.call(scene.world.owner, route, request);
  for (const { place, id: taken } of made) {
    const own = await row.request(elsewhere);
    const body = withIdAt(own.body, place, taken) as Record<string, unknown>;
    const { status } = await scene.call(scene.people.otherOwner, route, { ...own, body });
    expect([name, place, status < 500, status]).toEqual([name, place, true, status]);
    if (status < 300 || status === 409) tried.add(`${name} ${place.join('.')}`);
  }
  const { status: repeated } = await scene.call(scene.world.owner, route, request);
  expect(repeated).toBe(row.repeated ?? first);
});

test('the tests above have tried the ids of questions, answers and generations', () => {
  const least = ['sendMessage', 'addToQueue'].flatMap((name) =>
    ['messageId', 'answerId', 'generationId'].map((place) => `${name} ${place}`),
  );
  expect([...tried]).toEqual(expect.arrayContaining(least));
});
