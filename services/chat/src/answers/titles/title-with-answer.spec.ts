import { describe, expect, test } from '@jest/globals';
import { conversationChanged } from '@parley/contracts';
import { eventually } from '@parley/testing';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { titleIdOf } from './title-budget.ts';
import { exchangeOf, saying, titlesBench } from './titles-bench.spec-setup.ts';

const { bench, aWriter, titledOf, titleOf, entriesOf } = await titlesBench();

describe('a title that is written before its answer has ended', () => {
  /** Begins an answer in a new chat, and waits until its model has written the title. */
  async function named(text: string) {
    const viewer = aViewer();
    const asked = await bench.ask(viewer, { text: 'How many herons are there?' });
    const titled = await titledOf(viewer, asked);
    const writer = aWriter(saying(text));
    writer.begin(titled, () => exchangeOf(asked));
    const wrote = await eventually(async () => {
      const found = writer.wrote(titled);
      if (!found) throw new Error('nothing is written');
      return found;
    }, 'it should be written');
    const conversation = (await bench.conversations.find(viewer.scope, asked.conversation.id))!;
    const store = () =>
      bench.work.run(viewer.principal, async (tx) => {
        const read = (await bench.conversations.find(viewer.scope, asked.conversation.id, tx))!;
        return writer.record(titled, { conversation: read, wrote }, tx);
      });
    return { viewer, asked, titled, writer, conversation, store };
  }

  test('stores an early title in the transaction of the answer, with its cost', async () => {
    const { viewer, asked, titled, writer, conversation, store } = await named('Heron counts');
    expect(await entriesOf(asked)).toEqual([]);
    const after = await store();
    writer.stored(titled);
    writer.end(titled);
    await writer.beforeApplicationShutdown();
    expect(after).toMatchObject({ title: 'Heron counts', sequence: conversation.sequence + 1 });
    expect(await bench.conversations.find(viewer.scope, conversation._id)).toEqual(after);
    expect(
      (await bench.eventsOf(conversation._id)).filter(({ type }) => type === conversationChanged.type),
    ).toMatchObject([{ data: { change: 'created' } }, { data: { change: 'renamed' } }]);
    expect(await entriesOf(asked)).toMatchObject([
      { generationId: titleIdOf(conversation._id), outcome: 'done', memberIds: [] },
    ]);
  });

  test('never replaces a typed title, and bills the written one all the same', async () => {
    const { viewer, asked, conversation, store } = await named('Heron counts');
    const body = { title: 'My herons', version: conversation.version };
    await bench.keeping.rename({ ...viewer, params: { conversationId: conversation._id }, body } as never);
    expect(await store()).toBeNull();
    expect(await titleOf(viewer, asked)).toBe('My herons');
    expect(await entriesOf(asked)).toHaveLength(1);
  });

  test('bills a title, but doesn’t use it, if another process has taken the answer over', async () => {
    const { viewer, asked, titled, writer } = await named('Heron counts');
    writer.end(titled);
    await writer.beforeApplicationShutdown();
    expect(await titleOf(viewer, asked)).toBe('How many herons are there?');
    expect(await entriesOf(asked)).toHaveLength(1);
  });
});
