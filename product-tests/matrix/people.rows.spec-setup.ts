import { nameRevealRoutes, peopleRoutes } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { expect } from '@jest/globals';
import mongoose from 'mongoose';
import { rowsFor, type World } from './rows.spec-setup.ts';

const userIds = Array.from({ length: 4 }, () => newId('user'));

/** The pseudonym of each organisation's owner. Four planted people have asked beside them: enough to be shown apart. */
const planted = new Map<string, Promise<string>>();
function ownerOf(world: World): Promise<string> {
  const orgId = world.owner.orgId!;
  const known = planted.get(orgId) ?? plantPeople(world);
  planted.set(orgId, known);
  return known;
}

async function plantPeople({ parley, owner }: World): Promise<string> {
  const connection = await mongoose.createConnection(parley.internals.storeUri('parley_monitoring')).asPromise();
  const days = connection.collection<Record<string, unknown> & { _id: string }>('active_day');
  const { orgId } = owner;
  const own = await eventually(async () => {
    const row = await days.findOne({ orgId });
    expect(row).not.toBeNull();
    return row!;
  }, 'the owner should be counted');
  const pseudonym = (userId: UserId): string => Buffer.from(userId.slice(-12)).toString('hex');
  await days.insertMany(
    userIds.map((userId) => ({
      ...own,
      _id: `${orgId}/${String(own['day'])}/${pseudonym(userId)}`,
      pseudonym: pseudonym(userId),
    })),
  );
  await connection.close();
  return String(own['pseudonym']);
}

const revealed = async (world: World) => {
  const body = { id: newId('nameReveal'), personId: await ownerOf(world), reason: 'Why', hours: 1 as const };
  return world.owner.call('POST /api/monitoring/name-reveals', { body });
};
let shown: string;
let ownerId: string;

export const peopleRows = rowsFor(peopleRoutes, {
  listPeople: {
    request: async (world) => {
      ownerId = await ownerOf(world);
      return {};
    },
    lists: { ids: () => [ownerId], whose: 'organisation' },
  },
  getPersonUse: { things: 'organisation', request: async (world) => ({ params: { personId: await ownerOf(world) } }) },
});

export const nameRevealRows = rowsFor(nameRevealRoutes, {
  revealName: {
    request: async (world) => ({
      body: { id: newId('nameReveal'), personId: await ownerOf(world), reason: 'Why', hours: 24 },
    }),
  },
  endReveal: {
    things: 'owner',
    request: async (world) => ({ params: { revealId: (await revealed(world)).revealId } }),
  },
  listMyReveals: {
    request: async (world) => {
      shown = (await revealed(world)).revealId;
      return { query: { limit: '100' } };
    },
    lists: { ids: () => [shown], whose: 'owner' },
  },
});
