import { beforeAll, describe, expect, test } from '@jest/globals';
import { filesBench } from '../../testing/files-bench.spec-setup.ts';
import { treesOn } from '../../testing/tree-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';

const bench = treesOn(await filesBench());
const { deleting, lines, listing } = bench;
beforeAll(bench.ready);

/** Creates a chat of three turns and deletes the second question, which hides the third turn and its file. */
async function cut() {
  const viewer = aViewer();
  const file = await bench.readyFile(viewer, ['Secret of the file.']);
  const first = await bench.ask(viewer, { text: 'first' });
  await bench.end(viewer, first, 'One.');
  const { id: conversationId } = first.conversation;
  const second = await bench.ask(viewer, { conversationId, parentId: first.answer.id, text: 'second secret' });
  await bench.end(viewer, second, { text: 'Two secret.', thoughts: 'A secret thought.' } as never);
  const files = [{ id: file, use: 'searched' as const }];
  const third = await bench.ask(viewer, { conversationId, parentId: second.answer.id, text: 'third secret', files });
  await bench.end(viewer, third, 'Three secret.');
  const which = { ...viewer, params: { conversationId, messageId: second.message.id } } as never;
  const call = (query: object) => ({ ...viewer, params: { conversationId }, query: { limit: 50, ...query } }) as never;
  await deleting.delete(which);
  return { viewer, conversationId, file, first, second, third, which, call };
}

describe('messages below a deleted one', () => {
  test('lists messages below a deleted one without text, reasoning or files, marked as deleted', async () => {
    const { first, call } = await cut();
    const lists = [
      await lines.list(call({})),
      await lines.list(call({ after: 0 })),
      await listing.list(call({ after: 0, leaf: first.answer.id })),
    ];
    for (const { items } of lists) {
      expect(JSON.stringify(items)).not.toMatch(/secret|"files"/i);
      expect(items.filter(({ isDeleted }) => isDeleted)).toHaveLength(4);
    }
  });

  test('restores the messages below when the deleted one is restored', async () => {
    const { call, which } = await cut();
    expect(JSON.stringify((await lines.list(call({}))).items)).not.toContain('secret');
    await deleting.restore(which);
    for (const { items } of [await lines.list(call({})), await listing.list(call({}))]) {
      expect(items.map(({ text }) => text)).toEqual([
        'first',
        'One.',
        'second secret',
        'Two secret.',
        'third secret',
        'Three secret.',
      ]);
      expect(items.some(({ isDeleted }) => isDeleted)).toBe(false);
      expect(items[4]!.files).toHaveLength(1);
    }
  });

  test('refuses others access to files of messages below a deleted one', async () => {
    const { viewer, file, conversationId, which } = await cut();
    expect(await bench.references.conversationsWith(viewer.scope, file)).toEqual([]);
    await deleting.restore(which);
    expect(await bench.references.conversationsWith(viewer.scope, file)).toEqual([conversationId]);
  });
});
