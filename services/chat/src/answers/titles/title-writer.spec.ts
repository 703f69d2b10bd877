import { describe, expect, jest, test } from '@jest/globals';
import { conversationChanged, type titleEnded } from '@parley/contracts';
import type { DataOf } from '@parley/protocol';
import { eventually } from '@parley/testing';
import { NoBudget } from '../../assistants/budgets/index.ts';
import { ModelFailure, type ModelClient } from '../../assistants/models/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { titleIdOf } from './title-budget.ts';
import { modelKey, saying, titlesBench, upstream } from './titles-bench.spec-setup.ts';

const { bench, looks, aWriter, answered, offer, titleOf, entriesOf } = await titlesBench();
type Ended = { readonly data: DataOf<typeof titleEnded> };

describe('titles by the model of the first answer', () => {
  test('names the chat, notifies its people, and bills the person who asked', async () => {
    const viewer = aViewer();
    const asked = await answered(viewer);
    await offer(viewer, asked, aWriter(saying('"Heron counts."')));
    await eventually(async () => expect(await titleOf(viewer, asked)).toBe('Heron counts'), 'it should be named');
    const { conversation } = asked;
    await eventually(async () => expect(await entriesOf(asked)).toHaveLength(1), 'it should be told');
    const told = (await bench.eventsOf(conversation.id)).filter(({ type }) => type === conversationChanged.type);
    expect(told).toMatchObject([{ data: { change: 'created' } }]);
    // The version is the one from before the title, so a rename by a person who is typing meets no conflict.
    const named = await bench.conversations.find(viewer.scope, conversation.id);
    expect(named?.version).toBe(conversation.version);
    expect(await entriesOf(asked)).toMatchObject([
      {
        generationId: titleIdOf(conversation.id),
        userId: viewer.principal.userId,
        model: modelKey,
        upstream,
        inputTokens: 40,
        outputTokens: 6,
        estimated: false,
        outcome: 'done',
        memberIds: [viewer.principal.userId],
        sequence: named?.sequence,
      },
    ]);
    expect(JSON.stringify(await entriesOf(asked))).not.toContain('Heron');
  });

  test('gives the model the question and the answer, and no more time than its deadline', async () => {
    const viewer = aViewer();
    const asked = await answered(viewer, 'Where do herons sleep?');
    const requests: string[] = [];
    const writer = aWriter(async ({ path, signal }) => {
      requests.push(path[0]!.text);
      expect(signal.aborted).toBe(false);
    });
    await offer(viewer, asked, writer);
    await eventually(async () => expect(requests).toHaveLength(1), 'it should be asked');
    expect(requests[0]).toContain('Where do herons sleep?');
    expect(requests[0]).toContain('Three quiet herons.');
  });

  test('asks for a title, and stores it, while no answer awaits its first word', async () => {
    const viewer = aViewer();
    const asked = await answered(viewer);
    const asks = jest.spyOn(bench.firstWords, 'areAwaited', 'get');
    const looksAgain = (what: string) => eventually(() => asks.mock.calls.length > 2, what);
    let isThere = bench.firstWords.expect();
    const before = looks.count;
    let isSaid = false;
    const writer = aWriter(async (...call) => {
      isThere = bench.firstWords.expect();
      await saying('Heron counts')(...call);
      asks.mockClear();
      isSaid = true;
    });
    await offer(viewer, asked, writer);
    await looksAgain('it should wait');
    expect([looks.count, isSaid]).toEqual([before, false]);
    isThere();
    await eventually(() => isSaid, 'it should be written');
    await looksAgain('it should wait again');
    expect([await titleOf(viewer, asked), await entriesOf(asked)]).toEqual(['How many herons are there?', []]);
    isThere();
    asks.mockRestore();
    await eventually(async () => expect(await titleOf(viewer, asked)).toBe('Heron counts'), 'it should be named');
  });

  test('never replaces a title that a person typed, and bills the written one all the same', async () => {
    const viewer = aViewer();
    const asked = await answered(viewer);
    const { id: conversationId, version } = asked.conversation;
    const writer = aWriter(async (...call) => {
      await bench.keeping.rename({
        ...viewer,
        params: { conversationId },
        body: { title: 'My herons', version },
      } as never);
      await saying('Heron counts')(...call);
    });
    await offer(viewer, asked, writer);
    await eventually(async () => expect(await entriesOf(asked)).toHaveLength(1), 'it should be paid');
    expect(await entriesOf(asked)).toMatchObject([{ memberIds: [], sequence: 0 }]);
    expect(await titleOf(viewer, asked)).toBe('My herons');
  });

  test.each<[string, ModelClient['answer'], Partial<Ended['data']>[]]>([
    ['it writes nothing', async () => {}, [{ outcome: 'done', outputTokens: 0, estimated: true }]],
    ['it fails before its first word', () => Promise.reject(new ModelFailure('provider-overloaded', null)), []],
  ])('leaves the question as title where %s', async (_when, answer, entries) => {
    const viewer = aViewer();
    const asked = await answered(viewer);
    let isOver = false;
    const writer = aWriter((...call) => answer(...call).finally(() => (isOver = true)));
    await offer(viewer, asked, writer);
    await eventually(async () => expect(isOver).toBe(true), 'the model should be asked');
    await writer.beforeApplicationShutdown();
    expect(await titleOf(viewer, asked)).toBe('How many herons are there?');
    expect(await entriesOf(asked)).toMatchObject(entries);
  });

  test('cuts the model off if it says too much, and uses what it has written', async () => {
    const viewer = aViewer();
    const asked = await answered(viewer);
    const writer = aWriter(async (_request, onPart) => {
      onPart({ kind: 'text', text: 'Heron counts\n' });
      for (;;) onPart({ kind: 'text', text: 'and more '.repeat(50) });
    });
    await offer(viewer, asked, writer);
    await eventually(async () => expect(await titleOf(viewer, asked)).toBe('Heron counts'), 'it should be named');
  });

  test('ends a title with its process, and publishes the usage so far', async () => {
    const viewer = aViewer();
    const asked = await answered(viewer);
    const begun = Promise.withResolvers<void>();
    const writer = aWriter(({ signal }) => {
      begun.resolve();
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
      );
    });
    await offer(viewer, asked, writer);
    await begun.promise;
    await writer.beforeApplicationShutdown();
    expect(await entriesOf(asked)).toMatchObject([{ outcome: 'interrupted', estimated: true, outputTokens: 0 }]);
    expect(await titleOf(viewer, asked)).toBe('How many herons are there?');
  });
});

describe('asking no model for a title', () => {
  /** Counts the requests to the model, because an error would only be logged. */
  const counting = () => {
    const model = { asked: 0 };
    const answer: ModelClient['answer'] = (...call) => ((model.asked += 1), saying('Heron counts')(...call));
    return { model, answer };
  };

  test('asks no model if the organisation has turned titles off', async () => {
    const viewer = aViewer();
    const asked = await answered(viewer);
    const before = looks.count;
    const { model, answer } = counting();
    const writer = aWriter(answer, { isOn: false });
    await offer(viewer, asked, writer);
    await eventually(() => looks.count > before, 'it should look');
    await writer.beforeApplicationShutdown();
    expect(model.asked).toBe(0);
    expect([await titleOf(viewer, asked), await entriesOf(asked)]).toEqual(['How many herons are there?', []]);
  });

  test('asks no model twice, and settles the reservation of one that fails before its first word', async () => {
    const viewer = aViewer();
    const asked = await answered(viewer);
    const writer = aWriter(() => Promise.reject(new ModelFailure('provider-overloaded', null)), {
      reserve: async ({ outputTokens }) => outputTokens,
    });
    await offer(viewer, asked, writer);
    await eventually(async () => expect(await entriesOf(asked)).toHaveLength(1), 'it should be settled');
    expect(await entriesOf(asked)).toMatchObject([{ outcome: 'failed', inputTokens: 0, outputTokens: 0 }]);
  });

  test('asks no model if the person’s budget has no room for a title', async () => {
    const viewer = aViewer();
    const asked = await answered(viewer);
    const held: unknown[] = [];
    const { model, answer } = counting();
    const writer = aWriter(answer, {
      reserve: (body) => {
        held.push(body);
        return Promise.reject(new NoBudget(null));
      },
    });
    await offer(viewer, asked, writer);
    await eventually(() => held.length > 0, 'it should ask for room');
    await writer.beforeApplicationShutdown();
    expect(model.asked).toBe(0);
    expect(held).toMatchObject([{ userId: viewer.principal.userId, generationId: titleIdOf(asked.conversation.id) }]);
    expect([await titleOf(viewer, asked), await entriesOf(asked)]).toEqual(['How many herons are there?', []]);
  });
});

test('lets people take turns: a person with many chats to name delays nobody else', async () => {
  const [busy, other] = [aViewer(), aViewer()];
  const begun: string[] = [];
  const release = Promise.withResolvers<void>();
  const writer = aWriter(async ({ path }) => {
    begun.push(/<question>\n(.*)\n/.exec(path[0]!.text)![1]!);
    await release.promise;
  });
  for (let number = 0; number < 12; number += 1) await offer(busy, await answered(busy, `Busy ${number}`), writer);
  await eventually(async () => expect(begun).toHaveLength(2), 'half of the turns are theirs');
  await offer(other, await answered(other, 'Other'), writer);
  await eventually(async () => expect(begun).toContain('Other'), 'the other should not wait');
  release.resolve();
  await eventually(async () => expect(begun).toHaveLength(13), 'all are named');
});
