import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Accepted } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { ownSearchScope } from '../../../conversations/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { anEnd, everywhere, chatBench } from '../../../testing/chat-bench.spec-setup.ts';
import type { Lease, Progress } from '../rows/generations.repository.ts';

const bench = await chatBench();
const { generations, finishing, conversations, messages, clock } = bench;
beforeAll(bench.ready);

const owner = aViewer();
const find = (asked: Accepted) => bench.find(owner, asked);
const later = (ms: number): Date => new Date(clock.now().getTime() + ms);
const leaseOf = (holder: string, ms = 10_000): Lease => ({ holder, until: later(ms) });
const claim = (seen: Generation, lease: Lease) =>
  generations.claim(everywhere, { seen, lease, ended: null, now: clock.now() });
async function aRunning(holder = 'one'): Promise<{ asked: Accepted; held: Generation }> {
  const asked = await bench.ask(owner);
  return { asked, held: (await claim(await find(asked), leaseOf(holder)))! };
}
const progressOf = ({ _id: id, epoch }: Generation, more: Partial<Progress> = {}): Progress => ({
  id,
  epoch,
  text: 'So far',
  textEpoch: epoch,
  citations: [],
  firstTokenAt: null,
  ...more,
});
const idOf = ({ _id: id, epoch }: Generation) => ({ id, epoch });
const attemptsToldOf = async ({ conversation }: Accepted) =>
  (await bench.eventsOf(conversation.id)).filter(({ type }) => type === 'generation.attempt-ended.v1');

describe('claiming an answer', () => {
  test('gives the answer to one of several workers that see it', async () => {
    const seen = await find(await bench.ask(owner));
    const claimed = await Promise.all(['one', 'other', 'third'].map((holder) => claim(seen, leaseOf(holder))));
    const [won, ...rest] = claimed.filter((generation) => generation !== null);
    expect(rest).toEqual([]);
    expect(won).toMatchObject({ status: 'running', epoch: 1, startedAt: clock.now() });
    expect(await claim(seen, leaseOf('late'))).toBeNull();
  });

  test('refuses an answer that has ended or has a newer epoch', async () => {
    const { held } = await aRunning();
    const seen = { ...held, epoch: held.epoch - 1 };
    expect(await claim(seen, leaseOf('other'))).toBeNull();
    await finishing.finish(held, anEnd());
    expect(await claim(held, leaseOf('other'))).toBeNull();
  });

  test('costs no attempt if a worker gave the answer back', async () => {
    const { held, asked } = await aRunning();
    await generations.renew(everywhere, [idOf(held)], null);
    expect(await claim(await find(asked), leaseOf('other'))).toMatchObject({ epoch: 2, handOvers: 1 });
  });
});

describe('storing a checkpoint', () => {
  test('stores the text and leaves the lease unchanged', async () => {
    const { asked, held } = await aRunning();
    await generations.keep(everywhere, [progressOf(held)]);
    expect(await find(asked)).toMatchObject({ text: 'So far', leaseHolder: 'one', leaseUntil: held.leaseUntil });
  });

  test('writes nothing without the lease, or if the answer has ended', async () => {
    const [lost, ended] = [await aRunning(), await aRunning()];
    await finishing.restart(lost.held, leaseOf('other'));
    await finishing.finish(ended.held, anEnd());
    await generations.keep(everywhere, [progressOf(lost.held), progressOf(ended.held)]);
    expect(await find(lost.asked)).toMatchObject({ text: '', leaseHolder: 'other', epoch: 2 });
    expect(await find(ended.asked)).toMatchObject({ status: 'done', text: 'Three quiet herons.', leaseHolder: null });
  });
});

describe('renewing a lease', () => {
  test('renews the holder’s lease, and leaves the text unchanged', async () => {
    const { asked, held } = await aRunning();
    await generations.keep(everywhere, [progressOf(held)]);
    const lease = leaseOf('one', 60_000);
    const kept = await generations.renew(everywhere, [idOf(held)], lease);
    expect(kept.get(held._id)?.stopRequested).toBe(false);
    expect(await find(asked)).toMatchObject({ text: 'So far', leaseHolder: 'one', leaseUntil: lease.until });
  });

  test('reports a requested stop', async () => {
    const { held } = await aRunning();
    await generations.requestStop(owner.scope, held._id);
    const kept = await generations.renew(everywhere, [idOf(held)], leaseOf('one'));
    expect(kept.get(held._id)?.stopRequested).toBe(true);
    expect(await generations.listStopRequested(everywhere, [held._id])).toEqual([held._id]);
  });

  test('writes nothing without the lease, and reports the loss', async () => {
    const { asked, held } = await aRunning();
    const taken = (await finishing.restart(held, leaseOf('other')))!;
    const kept = await generations.renew(everywhere, [idOf(held)], leaseOf('one'));
    expect([kept.size, taken.epoch]).toEqual([0, 2]);
    expect(await find(asked)).toMatchObject({ leaseHolder: 'other', epoch: 2 });
  });

  test('changes nothing if the answer has ended', async () => {
    const { asked, held } = await aRunning();
    await finishing.finish(held, anEnd());
    expect((await generations.renew(everywhere, [idOf(held)], leaseOf('one'))).size).toBe(0);
    expect(await find(asked)).toMatchObject({ status: 'done', leaseHolder: null, leaseUntil: null });
  });
});

describe('ending an answer', () => {
  test('stores the end in answer, message and conversation, and publishes it once with its usage', async () => {
    const { asked, held } = await aRunning();
    clock.advance(2_000);
    expect(await finishing.finish(held, anEnd())).not.toBeNull();
    const { sequence } = (await conversations.find(owner.scope, asked.conversation.id))!;
    expect(await conversations.find(owner.scope, asked.conversation.id)).toMatchObject({
      running: null,
      lastAnswerId: asked.answer.id,
    });
    expect(
      await messages.find(owner.scope, { conversationId: asked.conversation.id, id: asked.answer.id }),
    ).toMatchObject({ text: 'Three quiet herons.', sequence });
    const [, keys] = await bench.searchedBy(owner, asked.conversation.id);
    expect(keys).toMatchObject({
      searchScope: ownSearchScope(owner),
      searchKeys: [':chatbot', 'three', 'quiet', 'herons'],
    });
    const told = await attemptsToldOf(asked);
    expect(told).toMatchObject([{ sequence, data: { attempt: 1, outcome: 'done', final: true, inputTokens: 3 } }]);
    expect(told[0]!.data).toMatchObject({ durationMs: 2_000, memberIds: [owner.principal.userId] });
  });

  test('stores an end that comes twice once', async () => {
    const { asked, held } = await aRunning();
    expect(await finishing.finish(held, anEnd())).not.toBeNull();
    expect(await finishing.finish(held, anEnd({ text: 'Again' }))).toBeNull();
    expect(await find(asked)).toMatchObject({ text: 'Three quiet herons.' });
    expect(await attemptsToldOf(asked)).toHaveLength(1);
  });

  test.each([
    ['budget-spent', true],
    ['budget-unavailable', true],
    ['provider-error', undefined],
  ] as const)('records after %s whether the model was refused or has failed', async (failure, isRefused) => {
    const { asked, held } = await aRunning();
    await finishing.finish(held, anEnd({ status: 'failed', text: '', failure }));
    expect((await attemptsToldOf(asked)).map(({ data }) => (data as { isRefused?: boolean }).isRefused)).toEqual([
      isRefused,
    ]);
    expect((await find(asked)).attempts.map((one) => one.isRefused)).toEqual([isRefused]);
  });

  test('stores no end without the lease', async () => {
    const { asked, held } = await aRunning();
    await finishing.restart(held, leaseOf('other'));
    expect(await finishing.finish(held, anEnd({ text: 'Too late' }))).toBeNull();
    expect(await find(asked)).toMatchObject({ status: 'running', text: '' });
  });

  test('estimates missing usage from the text', async () => {
    const { asked, held } = await aRunning();
    await finishing.finish(held, anEnd({ usage: null }));
    expect((await find(asked)).usage).toEqual({ inputTokens: 0, outputTokens: 5, estimated: true });
  });
});

describe('taking over from a dead worker', () => {
  test('ends the lost attempt as interrupted, not final, and begins the next epoch', async () => {
    const { asked, held } = await aRunning();
    await generations.keep(everywhere, [progressOf(held)]);
    const taken = await finishing.restart(await find(asked), leaseOf('other'));
    expect(taken).toMatchObject({ epoch: 2, status: 'running', leaseHolder: 'other', resumedAt: clock.now() });
    expect(taken?.attempts).toMatchObject([{ attempt: 1, outcome: 'interrupted', final: false, outputTokens: 2 }]);
    expect(await attemptsToldOf(asked)).toMatchObject([{ data: { attempt: 1, final: false } }]);
    const { sequence, running } = (await conversations.find(owner.scope, asked.conversation.id))!;
    expect(running?.generationId).toBe(held._id);
    expect(
      (await messages.find(owner.scope, { conversationId: asked.conversation.id, id: asked.answer.id }))?.sequence,
    ).toBe(sequence);
  });

  test('shows the longest text that people saw, and bills the words of the lost attempt', async () => {
    const { asked, held } = await aRunning();
    await generations.keep(everywhere, [progressOf(held)]);
    const remains = { text: 'So far, and on', textEpoch: 1, written: 'So far, and on' };
    const taken = await finishing.restart(await find(asked), leaseOf('other'), remains);
    expect(taken).toMatchObject({ epoch: 2, text: 'So far, and on', textEpoch: 1 });
    expect(taken?.attempts).toMatchObject([{ outcome: 'interrupted', outputTokens: 4 }]);
  });

  test('bills no words of an attempt without a word, though an earlier attempt’s text is shown', async () => {
    const { asked, held } = await aRunning();
    await generations.keep(everywhere, [progressOf(held)]);
    await finishing.restart(await find(asked), leaseOf('other'));
    const again = await finishing.restart(await find(asked), leaseOf('third'));
    expect(again).toMatchObject({ epoch: 3, text: 'So far', textEpoch: 1 });
    expect(again?.attempts.map(({ outputTokens }) => outputTokens)).toEqual([2, 0]);
  });

  test('ends an answer that is given up as interrupted, with its remaining text', async () => {
    const { asked, held } = await aRunning();
    expect(await finishing.giveUp(held, { text: 'All of it', textEpoch: 1, written: 'All of it' })).not.toBeNull();
    expect(await find(asked)).toMatchObject({ status: 'interrupted', text: 'All of it', usage: { outputTokens: 3 } });
    expect(await finishing.finish(held, anEnd())).toBeNull();
  });

  test('lets one of several workers take the answer over, and publishes it once', async () => {
    const { asked, held } = await aRunning();
    const taken = await Promise.all(['a', 'b'].map((holder) => finishing.restart(held, leaseOf(holder))));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await attemptsToldOf(asked)).toHaveLength(1);
  });
});

test('finds queued answers and answers with an ended lease, and no others', async () => {
  const [first, second] = [await bench.ask(owner), await bench.ask(owner)];
  const dead = await aRunning('dead');
  clock.advance(60_000);
  const alive = await aRunning('alive');
  const waiting = (limit: number, $nin: OrgId[] = []) => {
    const leaseEndedBefore = clock.now();
    return generations.listWaiting(everywhere, { leaseEndedBefore, ofOrganisations: { $nin }, exceptBy: [], limit });
  };
  const ids = (await waiting(1_000)).map(({ _id }) => _id);
  for (const asked of [first, second]) expect(ids).toContain(asked.answer.generation!.id);
  expect(ids).toContain(dead.held._id);
  expect(ids).not.toContain(alive.held._id);
  expect(ids.indexOf(dead.held._id)).toBeLessThan(ids.indexOf(first.answer.generation!.id));
  const [queued] = (await waiting(1)).filter(({ status }) => status === 'queued');
  expect(queued?.queuedAt.getTime()).toBeLessThan(clock.now().getTime());
  const other = aViewer();
  const theirs = await bench.ask(other);
  const ofOthers = (await waiting(1_000, [owner.scope.orgId])).map(({ _id }) => _id);
  expect(ofOthers).toEqual([theirs.answer.generation!.id]);
});
