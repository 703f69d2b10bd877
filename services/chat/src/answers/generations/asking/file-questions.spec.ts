import { beforeAll, describe, expect, test } from '@jest/globals';
import type { FileId, FileUse } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import { filesBench } from '../../../testing/files-bench.spec-setup.ts';
import { newQuestion } from '../../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../../conversations/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';

const bench = await filesBench();
const { readyFile, fileRows, work } = bench;
beforeAll(bench.ready);

/** About 2,300 tokens: more than a quarter of a model's context. */
const long = Array.from({ length: 11 }, (_, at) => `Passage ${at} is about ${'nothing '.repeat(100)}`);
const longFile = (viewer: Viewer) => readyFile(viewer, [...long, 'Forty otters swim at night.'], 'Long.pdf');
const uses = (files: readonly { id: FileId; use: FileUse }[] = []) => files.map(({ id, use }) => [id, use]);

describe('questions with files', () => {
  test('returns how each file is used: whole up to a quarter of the context, searched beyond', async () => {
    const viewer = aViewer();
    const [small, large, chosen] = [
      await readyFile(viewer, ['Herons.']),
      await longFile(viewer),
      await longFile(viewer),
    ];
    const searched = await readyFile(viewer, ['Storks.']);
    const files = [
      { id: small, use: 'auto' },
      { id: large, use: 'auto' },
      { id: chosen, use: 'whole' },
      { id: searched, use: 'searched' },
    ] as const;
    const { message } = await bench.ask(viewer, { files: [...files] });
    expect(uses(message.files)).toEqual([
      [small, 'whole'],
      [large, 'searched'],
      [chosen, 'searched'],
      [searched, 'searched'],
    ]);
    expect(message.files![0]).toMatchObject({ name: 'Plan.txt', mediaType: 'text/plain', bytes: 14, tokens: 3 });
    expect(message.files![0]).not.toHaveProperty('pages');
  });

  test('gives all whole files of a question one quarter of the context, in order', async () => {
    const viewer = aViewer();
    // About 1,200 tokens each, in a context of 8,000.
    const half = 'herons '.repeat(514);
    const ids = [
      await readyFile(viewer, [half]),
      await readyFile(viewer, [half]),
      await readyFile(viewer, ['Otters.']),
      await readyFile(viewer, [half]),
    ];
    const { message } = await bench.ask(viewer, { files: ids.map((id) => ({ id, use: 'auto' })) });
    expect(uses(message.files).map(([, use]) => use)).toEqual(['whole', 'searched', 'whole', 'searched']);
  });

  test('gives images and whole files of a question half of the context', async () => {
    const viewer = aViewer();
    const { scope } = viewer;
    const imageOf = async (): Promise<FileId> => {
      const { id } = await bench.upload(viewer, { name: 'Panel.png' });
      const held = (await fileRows.claim(scope, (await fileRows.find(scope, id))!, new Date()))!;
      const end = { status: 'ready', failure: null, image: { width: 1_568, height: 1_045 } } as const;
      await work.run(job('tests'), (tx) => fileRows.finish(scope, held, end, tx));
      return id;
    };
    const [first, second] = [await imageOf(), await imageOf()];
    const text = await readyFile(viewer, ['herons '.repeat(514)]);
    const useOf = async (ids: readonly FileId[], accepts: 'yes' | 'no' = 'yes') => {
      const model = { context: { tokens: 16_000, isAssumed: true }, images: { accepts } };
      const files = await bench.uses.resolve(viewer, { asked: ids.map((id) => ({ id, use: 'auto' })), model });
      return files.map(({ use }) => use);
    };
    // An image takes 3,779 tokens, the text file 1,200.
    expect(await useOf([first, text, second])).toEqual(['image', 'whole', 'image']);
    expect(await useOf([first, second, text])).toEqual(['image', 'image', 'searched']);
    expect(await useOf([first, second, text], 'no')).toEqual(['image', 'image', 'whole']);
  });

  test('accepts a question without words, and names the chat after its file', async () => {
    const viewer = aViewer();
    const id = await readyFile(viewer, ['Herons.'], 'Herons of the north.pdf');
    const { conversation, message } = await bench.ask(viewer, { text: '', files: [{ id, use: 'auto' }] });
    expect([conversation.title, message.text]).toEqual(['Herons of the north.pdf', '']);
  });

  test('refuses a question while a file isn’t ready, couldn’t be read, is someone else’s or is missing', async () => {
    const viewer = aViewer();
    const { scope } = viewer;
    const { id: stored } = await bench.upload(viewer);
    const { id: failed } = await bench.upload(viewer);
    const held = (await fileRows.claim(scope, (await fileRows.find(scope, failed))!, new Date()))!;
    const end = { status: 'failed', failure: 'scanned' } as const;
    await work.run(job('tests'), (tx) => fileRows.finish(scope, held, end, tx));
    const theirs = await readyFile(aViewer(scope.orgId), ['Herons.']);
    const elsewhere = await readyFile(aViewer(), ['Herons.']);
    const cases = [
      [stored, 'chat.file-not-ready'],
      [failed, 'chat.file-unreadable'],
      [theirs, 'chat.file-not-found'],
      [elsewhere, 'chat.file-not-found'],
      [newId('file'), 'chat.file-not-found'],
    ] as const;
    for (const [id, code] of cases) {
      const question = { ...newQuestion(), files: [{ id, use: 'auto' as const }] };
      await expect(bench.sending.send(viewer, question)).rejects.toMatchObject({ code });
      expect(await bench.access.find(viewer, question.conversationId)).toBeNull();
    }
  });

  test('returns the stored question if it is sent again, even if its file is gone', async () => {
    const viewer = aViewer();
    const id = await readyFile(viewer, ['Herons.']);
    const question = { ...newQuestion(), files: [{ id, use: 'auto' as const }] };
    const sent = await bench.sending.send(viewer, question);
    expect((await bench.sending.send(viewer, question)).message).toEqual(sent.message);
    const row = (await fileRows.find(viewer.scope, id))!;
    await work.run(job('tests'), (tx) => fileRows.beginErasing(viewer.scope, row, tx));
    expect((await bench.sending.send(viewer, question)).message).toEqual(sent.message);
  });

  test('keeps the files of an edited question as they were', async () => {
    const viewer = aViewer();
    const id = await readyFile(viewer, ['Herons.']);
    const first = await bench.ask(viewer, { files: [{ id, use: 'searched' }] });
    await bench.end(viewer, first);
    const { id: conversationId } = first.conversation;
    const files = first.message.files!.map((file) => ({ id: file.id, use: file.use }));
    const edited = await bench.ask(viewer, { conversationId, parentId: null, text: 'Edited?', files });
    expect(edited.message.files).toEqual(first.message.files);
  });
});
