import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { mostOtherDrafts, type ConversationId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { chatBench } from '../testing/chat-bench.spec-setup.ts';
import { aViewer } from '../testing/viewer.spec-setup.ts';
import { DraftsService } from './drafts.service.ts';
import type { Viewer } from './index.ts';

const bench = await chatBench();
const service = new DraftsService(bench.mongo, bench.access, bench.projects, bench.clock, bench.work);
beforeAll(bench.ready);
afterEach(() => {
  jest.restoreAllMocks();
});

type Place = ConversationId | 'new';
const read = (viewer: Viewer, where: Place) => service.read({ ...viewer, params: { where } } as never);
const save = (viewer: Viewer, where: Place, text: string, revision: number) =>
  service.save({ ...viewer, params: { where }, body: { text, revision } } as never);
const saveAs = (viewer: Viewer, body: { text: string; revision: number; others?: string[]; writer?: string }) =>
  service.save({ ...viewer, params: { where: 'new' }, body } as never);
const drop = (viewer: Viewer, where: Place) => service.drop({ ...viewer, params: { where } } as never);
const nothing = { text: '', revision: 0, others: [] };
/** Makes these devices read the same state: holds their first reads back until all have read. */
function readTogether(devices: number): void {
  const all = Promise.withResolvers<void>();
  let reads = 0;
  const find = service['find'].bind(service);
  jest.spyOn(service as never as { find: typeof find }, 'find').mockImplementation(async (...asked) => {
    const row = await find(...asked);
    reads += 1;
    if (reads === devices) all.resolve();
    await all.promise;
    return row;
  });
}

describe('drafts of people', () => {
  test('keeps one draft for each conversation and one for a new chat, per person and organisation', async () => {
    const viewer = aViewer();
    const { conversation } = await bench.ask(viewer, { text: 'herons' });
    await save(viewer, 'new', 'storks', 0);
    expect(await save(viewer, conversation.id, 'cranes', 0)).toEqual({ text: 'cranes', revision: 1, others: [] });
    expect((await read(viewer, 'new')).text).toBe('storks');
    expect((await read(viewer, conversation.id)).text).toBe('cranes');
    const elsewhere = { ...aViewer(), principal: viewer.principal } as Viewer;
    expect(await read(elsewhere, 'new')).toEqual(nothing);
    expect(await read(aViewer(viewer.scope.orgId), 'new')).toEqual(nothing);
    for (const text of ['egrets', 'ibises']) {
      const { revision } = await read(elsewhere, 'new');
      expect(await save(elsewhere, 'new', text, revision)).toMatchObject({ text, others: [] });
    }
    expect((await read(viewer, 'new')).text).toBe('storks');
    for (const call of [drop, (one: Viewer, at: Place) => save(one, at, 'mine', 0)])
      await expect(call(aViewer(viewer.scope.orgId), conversation.id)).rejects.toMatchObject({
        code: 'chat.conversation-not-found',
      });
    await expect(save(viewer, newId('conversation'), 'x', 0)).rejects.toMatchObject({
      code: 'chat.conversation-not-found',
    });
  });

  test('returns an empty draft for a conversation that doesn’t exist yet, was deleted or is someone else’s', async () => {
    const viewer = aViewer();
    const { conversation } = await bench.ask(viewer, { text: 'herons' });
    await save(viewer, conversation.id, 'cranes', 0);
    expect(await read(viewer, newId('conversation'))).toEqual(nothing);
    expect(await read(aViewer(viewer.scope.orgId), conversation.id)).toEqual(nothing);
    const elsewhere = { ...aViewer(), principal: viewer.principal } as Viewer;
    expect(await read(elsewhere, conversation.id)).toEqual(nothing);
    expect((await read(viewer, conversation.id)).text).toBe('cranes');
    await bench.keeping.delete({ ...viewer, params: { conversationId: conversation.id } } as never);
    expect(await read(viewer, conversation.id)).toEqual(nothing);
  });

  test('keeps both texts if two devices wrote on the same revision', async () => {
    const viewer = aViewer();
    const { revision } = await save(viewer, 'new', 'her', 0);
    await save(viewer, 'new', 'herons', revision);
    const late = await save(viewer, 'new', 'her majesty', revision);
    expect(late).toMatchObject({ text: 'her majesty', revision: 3, others: [{ text: 'herons' }] });
    expect(await save(viewer, 'new', 'her majesty', revision)).toEqual(late);
    const on = await save(viewer, 'new', 'her majesty’s', late.revision);
    expect(on).toMatchObject({ revision: 4, others: [{ text: 'herons' }] });
    for (let number = 0; number < 9; number += 1) await save(viewer, 'new', `late ${number}`, 1);
    const { others } = await read(viewer, 'new');
    expect(others.map(({ text }) => text)).toEqual(['late 7', 'late 6', 'late 5', 'late 4', 'late 3']);
    expect(others).toHaveLength(mostOtherDrafts);
  });

  test('keeps other texts that the writer wants, and those that the writer hasn’t seen', async () => {
    const viewer = aViewer();
    await save(viewer, 'new', 'herons', 0);
    const both = await save(viewer, 'new', 'cranes', 0);
    const swapped = await saveAs(viewer, { text: 'herons', revision: both.revision, others: ['cranes'] });
    expect(swapped).toMatchObject({ text: 'herons', revision: 3, others: [{ text: 'cranes' }] });
    const repeated = await saveAs(viewer, { text: 'herons', revision: both.revision, others: ['cranes'] });
    expect(repeated).toEqual(swapped);
    const late = await saveAs(viewer, { text: 'storks', revision: both.revision, others: [] });
    expect(late).toMatchObject({ text: 'storks', others: [{ text: 'herons' }, { text: 'cranes' }] });
    expect(await saveAs(viewer, { text: '', revision: both.revision, others: [] })).toEqual(late);
    const sent = await saveAs(viewer, { text: '', revision: late.revision, others: [] });
    expect(sent).toEqual({ text: '', revision: late.revision + 1, others: [] });
  });

  test('keeps a page’s text once though it missed a response, and keeps the texts of other pages', async () => {
    const viewer = aViewer();
    const own = { writer: 'page 1', others: [] };
    await saveAs(viewer, { text: 'her', revision: 0, ...own });
    expect(await saveAs(viewer, { text: 'heron', revision: 0, ...own })).toMatchObject({ text: 'heron', others: [] });
    await saveAs(viewer, { text: 'cranes', revision: 2, writer: 'page 2' });
    const late = await saveAs(viewer, { text: 'herons', revision: 2, ...own });
    expect(late.others).toMatchObject([{ text: 'cranes' }]);
    expect((await saveAs(viewer, { text: 'herons!', revision: 2, ...own })).others).toEqual(late.others);
  });

  test('keeps returned and typed text if a page writes on an old revision', async () => {
    const viewer = aViewer();
    const { conversation } = await bench.ask(viewer, { text: 'herons' });
    const type = (text: string, revision: number) =>
      service.save({
        ...viewer,
        params: { where: conversation.id },
        body: { text, revision, writer: 'page 1' },
      } as never);
    await type('storks', 0);
    await type('', 1);
    const { scope, principal } = viewer;
    const back = { userId: principal.userId, conversationId: conversation.id, texts: ['storks'] };
    await bench.work.run(principal, (tx) => service.giveBack(scope, back, tx));
    expect(await type('cranes', 2)).toMatchObject({ text: 'cranes', others: [{ text: 'storks' }] });
  });

  test('never gives a dropped draft an earlier revision again', async () => {
    const viewer = aViewer();
    await drop(viewer, 'new');
    expect(await read(viewer, 'new')).toEqual(nothing);
    const { revision } = await save(viewer, 'new', 'herons', 0);
    await drop(viewer, 'new');
    expect(await read(viewer, 'new')).toEqual({ ...nothing, revision: 2 });
    await save(viewer, 'new', 'storks', 2);
    expect(await save(viewer, 'new', 'cranes', revision)).toMatchObject({ others: [{ text: 'storks' }] });
  });

  test.each([
    ['one that is there', 1],
    ['none', 0],
  ])('loses no draft if devices read %s at the same moment and then save', async (_what, revision) => {
    const viewer = aViewer();
    if (revision > 0) await save(viewer, 'new', 'seen', 0);
    const devices = ['one', 'two', 'three'];
    readTogether(devices.length);
    await Promise.all(devices.map((text) => save(viewer, 'new', text, revision)));
    const { text, others } = await read(viewer, 'new');
    const all = [text, ...others.map((other) => other.text)];
    expect(all.filter((one) => one !== 'seen').toSorted()).toEqual(devices.toSorted());
    expect((await read(viewer, 'new')).revision).toBe(revision + devices.length);
  });

  test('stores no draft without text', async () => {
    const viewer = aViewer();
    expect(await save(viewer, 'new', '', 0)).toEqual(nothing);
    await save(viewer, 'new', 'storks', 0);
    expect(await save(viewer, 'new', '', 1)).toEqual({ text: '', revision: 2, others: [] });
  });
});
