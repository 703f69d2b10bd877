import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { permissionsOf } from '@parley/contracts';
import { ParleyClient } from '@parley/testing/client';
import { outsideRoutes } from './all-rows.spec-setup.ts';
import { isChange, requestOf, Scene } from './scene.spec-setup.ts';

/** Every route against everybody: who may, who may not, and whose things nobody else finds. */
let scene: Scene;

beforeAll(async () => {
  scene = await Scene.start();
}, 90_000);
afterAll(() => scene.close());

test('every route but the internal ones has a row', () => {
  expect(outsideRoutes.length).toBeGreaterThan(30);
  expect(outsideRoutes.filter(([, { scope }]) => scope === 'internal')).toEqual([]);
});

describe.each(outsideRoutes)('%s', (_name, route, row) => {
  const request = requestOf(row);

  if (route.scope !== 'public') {
    test('nobody signed in: 401', async () => {
      const visitor = new ParleyClient(scene.running.url);
      const answer = await scene.call(visitor, route, await request(scene.world));
      expect([answer.status, answer.problem?.code]).toEqual([401, 'platform.unauthenticated']);
    });
  }

  const { lists } = row;
  if (lists) {
    const countIn = (text: string) => lists.ids(scene.world).filter((id) => text.includes(id)).length;

    test('the owner finds the own things, and nobody outside does', async () => {
      const { otherOwner, elsewhere } = scene.people;
      const good = await request(scene.world);
      expect(countIn((await scene.call(scene.world.owner, route, good)).text)).toBe(lists.ids(scene.world).length);
      expect(countIn((await scene.call(otherOwner, route, good)).text)).toBe(0);
      if (route.scope === 'organisation') expect(countIn((await scene.call(elsewhere, route, good)).text)).toBe(0);
    });

    test(`a colleague finds ${lists.whose === 'owner' ? 'none' : 'all'} of them`, async () => {
      const answer = await scene.call(scene.people.colleague, route, await request(scene.world));
      expect(countIn(answer.text)).toBe(lists.whose === 'owner' ? 0 : lists.ids(scene.world).length);
    });
  }

  if (route.scope === 'organisation') {
    test('the owner of another organisation is no member: 404', async () => {
      const intruder = scene.people.otherOwner.copy();
      intruder.orgId = scene.world.owner.orgId;
      const answer = await scene.call(intruder, route, await request(scene.world));
      expect([answer.status, answer.problem?.code]).toEqual([404, 'org.organisation-not-found']);
    });

    const { ofUnknown = 404 } = row;
    if (row.things) {
      test(`ids of another organisation are unknown inside the own one: ${ofUnknown}`, async () => {
        const answer = await scene.call(scene.people.otherOwner, route, await request(scene.world));
        expect(answer.status).toBe(ofUnknown);
      });

      test(`and the own things stay in their organisation: ${ofUnknown} from the second one`, async () => {
        const answer = await scene.call(scene.people.elsewhere, route, await request(scene.world));
        expect(answer.status).toBe(ofUnknown);
      });
    }

    if (row.things === 'owner') {
      test(`a colleague who may do everything does not see it: ${ofUnknown}`, async () => {
        const answer = await scene.call(scene.people.colleague, route, await request(scene.world));
        expect(answer.status).toBe(ofUnknown);
      });
    }

    const { permission } = route;
    if (!permissionsOf('guest').includes(permission)) {
      test('a missing right is named: 403', async () => {
        const { status, problem } = await scene.call(scene.people.guest, route, await request(scene.world));
        expect([status, problem?.code, problem?.permission]).toEqual([403, 'platform.forbidden', permission]);
      });
    }

    test('an organisation id that is none: 400', async () => {
      const good = await request(scene.world);
      const answer = await scene.call(scene.world.owner, route, good, { headers: { 'parley-org': 'org_1' } });
      expect(answer.status).toBe(400);
    });

    if (isChange(route)) {
      test('a change that names no organisation: 400', async () => {
        const client = scene.world.owner.copy();
        client.orgId = null;
        const answer = await scene.call(client, route, await request(scene.world));
        expect([answer.status, answer.problem?.code]).toEqual([400, 'platform.organisation-missing']);
      });
    }
  }

  // Last, with the request that all others were refused with: so it was a good one, and they changed nothing.
  test('the owner may, and repeating does no harm', async () => {
    const good = await request(scene.world);
    const client = await scene.callerOf(row);
    const first = await scene.call(client, route, good);
    const expected = row.refused ?? route.status ?? 200;
    expect([first.status, row.refused ? null : first.problem]).toEqual([expected, null]);
    const second = await scene.call(client, route, good);
    expect(second.status).toBe(row.repeated ?? expected);
  });
});
