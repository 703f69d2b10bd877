import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { permissionsOf } from '@parley/contracts';
import { importBench } from '../../testing/import-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { aChat, aLine } from './chats.spec-setup.ts';

const bench = await importBench();
beforeAll(bench.ready);
const { org, checked, conversationsOf } = bench;
afterEach(() => {
  Object.assign(org, { rights: permissionsOf('member'), accessEnd: null, refusal: null });
  bench.given.onChat = async () => undefined;
});

const chats = (name: string) => [0, 1, 2, 3].map((at) => aChat(`${name}${at}`, aLine(`${name}${at}`, ['q', 'a'])));

describe('an import', () => {
  test.each<[string, number, () => void]>([
    ['was removed', 0, () => void (org.refusal = 'org.organisation-not-found')],
    ['was suspended', 1, () => void (org.refusal = 'org.membership-suspended')],
    [
      'may not create chats any more',
      2,
      () => void (org.rights = permissionsOf('guest').filter((right) => right !== 'chat:create')),
    ],
    ['had their access ended since', 3, () => void (org.accessEnd = bench.clock.now())],
  ])('whose person %s ends before its chat %i, and says why', async (_name, from, change) => {
    const viewer = aViewer();
    const id = await checked(viewer, chats('e'));
    await bench.start(viewer, id);
    bench.given.onChat = async (at) => {
      if (at === from) change();
    };
    await bench.turn(viewer, id);
    await bench.turn(viewer, id);
    const ended = await bench.read(viewer, id);
    expect(ended).toMatchObject({ status: 'failed', failure: 'access-lost', expiresAt: null });
    expect(ended.imported.chats).toBe(from);
    expect(await conversationsOf(viewer)).toHaveLength(from);
    expect(await bench.used(viewer)).toBe(0);
  });

  test('waits while nobody can say what its person may do, and goes on', async () => {
    const viewer = aViewer();
    const id = await checked(viewer, chats('w'));
    await bench.start(viewer, id);
    org.refusal = 'platform.unavailable';
    for (let turns = 0; turns < 10; turns += 1) {
      await bench.turn(viewer, id).catch(() => undefined);
      bench.clock.advance(120_000);
    }
    expect(await conversationsOf(viewer)).toHaveLength(0);
    org.refusal = null;
    await bench.turn(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'done', imported: { chats: 4 }, losses: 0 });
  });
});
