import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { nameRevealed, type PersonPrincipal } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { aPerson } from '@parley/testing';
import { hourMs, peopleBench } from './people.spec-setup.ts';
import { NamesService } from './names.service.ts';

const bench = await peopleBench();
const { mongo, clock, told, recorded } = bench;
const names = new NamesService(mongo, bench.days, bench.keys, bench.shownNames, bench.platform, bench.work, clock);
beforeAll(bench.ready);

let acts: ReturnType<typeof bench.found>;
beforeEach(() => {
  acts = bench.found();
});

const reveal = (personId: string, principal: PersonPrincipal, more: object = {}) =>
  names.reveal({
    scope: acts.scope,
    principal,
    body: { id: newId('nameReveal'), personId, reason: 'Spend doubled', hours: 1, ...more },
  } as never);
const end = (revealId: string, principal: PersonPrincipal) =>
  names.end({ scope: acts.scope, principal, params: { revealId } } as never);
const mine = (userId: UserId) =>
  names.mine({ scope: acts.scope, principal: aPerson({ userId }), query: { limit: 50 } } as never);
const toldHere = async () =>
  (await recorded()).filter(({ type, tenantid }) => type === nameRevealed.type && tenantid === acts.orgId);

describe('a name', () => {
  test('is shown to who asked, until its time is over; the person is told', async () => {
    await acts.everybodyAsks();
    const [asker, other] = [acts.ines(), acts.ines()];
    const target = (await acts.list({}, asker)).items[4]!;
    const until = new Date(clock.now().getTime() + hourMs).toISOString();
    const shown = await reveal(target.id, asker);
    expect(shown).toEqual({ revealId: shown.revealId, name: 'Eli', until });
    expect((await acts.list({}, asker)).items[4]?.name).toEqual(shown);
    expect((await acts.read(target.id, asker)).person.name).toEqual(shown);
    expect((await acts.list({}, other)).items.every(({ name }) => name === null)).toBe(true);
    const { items } = await mine(acts.team[4]!.userId);
    expect(items).toEqual([
      { id: shown.revealId, by: 'Ines Vardale', reason: 'Spend doubled', at: clock.now().toISOString(), until },
    ]);
    expect((await mine(acts.team[3]!.userId)).items).toEqual([]);
    const events = await toldHere();
    expect(events.map(({ data }) => data)).toEqual([
      {
        orgId: acts.orgId,
        revealId: shown.revealId,
        userId: acts.team[4]!.userId,
        by: asker.userId,
        organisation: 'Lindmoor Energy',
        reason: 'Spend doubled',
        until,
      },
    ]);
    clock.advance(hourMs);
    expect((await acts.list({}, asker)).items.every(({ name }) => name === null)).toBe(true);
    expect((await acts.read(target.id, asker)).person.name).toBeNull();
  });

  test('is not shown any more to who has lost the right', async () => {
    await acts.everybodyAsks();
    const asker = acts.ines();
    await reveal((await acts.list()).items[0]!.id, asker);
    const lessened = { ...asker, ...acts.reader('usage:read_org'), userId: asker.userId };
    expect((await acts.list({}, lessened)).items[0]?.name).toBeNull();
  });

  test('is asked for once under one id, and told once', async () => {
    await acts.everybodyAsks();
    const asker = acts.ines();
    const { items } = await acts.list();
    const again = { id: newId('nameReveal') };
    const shown = await reveal(items[0]!.id, asker, again);
    clock.advance(60_000);
    expect(await reveal(items[0]!.id, asker, again)).toEqual(shown);
    const events = await toldHere();
    expect(events).toHaveLength(1);
    for (const [target, who] of [
      [items[1]!.id, asker],
      [items[0]!.id, acts.ines()],
    ] as const)
      await expect(reveal(target, who, again)).rejects.toMatchObject({ code: 'platform.conflict' });
  });

  test('is hidden at once by who asked, and by nobody else', async () => {
    await acts.everybodyAsks();
    const asker = acts.ines();
    const { revealId } = await reveal((await acts.list()).items[0]!.id, asker, { hours: 168 });
    await expect(end(revealId, acts.ines())).rejects.toMatchObject({ code: 'platform.not-found' });
    clock.advance(60_000);
    for (const _ of [1, 2]) await end(revealId, asker);
    expect((await acts.list({}, asker)).items[0]?.name).toBeNull();
    expect((await mine(acts.team[0]!.userId)).items[0]?.until).toBe(clock.now().toISOString());
    expect(await mongo.connection.collection('shown_names').countDocuments({ orgId: acts.orgId })).toBe(0);
  });

  test('of another organisation’s pseudonym is not found', async () => {
    await acts.everybodyAsks();
    const { items } = await acts.list();
    acts = bench.found();
    const refused = { code: 'monitoring.person-not-found' };
    await expect(reveal(items[0]!.id, acts.ines())).rejects.toMatchObject(refused);
  });

  test('of who is no member any more is not found', async () => {
    await acts.everybodyAsks();
    const { items } = await acts.list();
    told.members = told.members.slice(1);
    await expect(reveal(items[0]!.id, acts.ines())).rejects.toMatchObject({ code: 'monitoring.person-not-found' });
  });
});
