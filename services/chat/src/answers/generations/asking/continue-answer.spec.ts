import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Accepted, Citation, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Viewer } from '../../../conversations/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import { anEnd, chatBench, everywhere } from '../../../testing/chat-bench.spec-setup.ts';
import { withoutWords } from '../rows/answer-end.ts';

const bench = await chatBench();
const { answering, finishing, generations, prepare, clock } = bench;
beforeAll(bench.ready);

const owner = aViewer();
const goOn = (viewer: Viewer, { conversation, message }: Accepted, continues: MessageId, more: object = {}) =>
  answering.answer(viewer, {
    conversationId: conversation.id,
    parentId: message.id,
    answerId: newId('message'),
    generationId: newId('generation'),
    continues,
    ...more,
  });
const claimed = async (viewer: Viewer, asked: Pick<Accepted, 'answer'>) => {
  const now = clock.now();
  const seen = await bench.find(viewer, asked);
  return (await generations.claim(everywhere, { seen, lease: { holder: 'w', until: now }, ended: null, now }))!;
};
/** An answer that someone stopped. */
async function stopped(viewer = owner, more: Parameters<typeof anEnd>[0] = {}): Promise<Accepted> {
  const asked = await bench.ask(viewer, { text: 'herons' });
  await finishing.finish(await claimed(viewer, asked), anEnd({ status: 'stopped', text: 'Three quiet her', ...more }));
  return asked;
}

describe('continuing an answer', () => {
  test('creates a version that begins with the text of the stopped answer, which stays unchanged', async () => {
    const asked = await stopped();
    const { answer, conversation } = await goOn(owner, asked, asked.answer.id);
    expect(answer).toMatchObject({ text: 'Three quiet her', parentId: asked.message.id, position: 3 });
    expect(answer.generation).toMatchObject({ status: 'queued', epoch: 0 });
    expect(conversation.running).toBe(true);
    expect((await bench.find(owner, asked)).text).toBe('Three quiet her');
  });

  test('continues an answer once if the same ids are sent twice', async () => {
    const asked = await stopped();
    const ids = { answerId: newId('message'), generationId: newId('generation') };
    const first = await goOn(owner, asked, asked.answer.id, ids);
    expect((await goOn(owner, asked, asked.answer.id, ids)).answer).toEqual(first.answer);
  });

  test('refuses to continue a deleted answer', async () => {
    const asked = await stopped();
    const params = { conversationId: asked.conversation.id, messageId: asked.answer.id };
    await bench.deleting.delete({ ...owner, params } as never);
    await expect(goOn(owner, asked, asked.answer.id)).rejects.toMatchObject({ code: 'chat.message-not-found' });
  });

  test('keeps the continued text if the new answer ends before its first word, and then bills nothing', async () => {
    const asked = await stopped();
    const continuing = await goOn(owner, asked, asked.answer.id);
    const held = await claimed(owner, continuing);
    await finishing.finish(held, withoutWords('stopped', held));
    expect(await bench.find(owner, continuing)).toMatchObject({
      status: 'stopped',
      text: 'Three quiet her',
      usage: { outputTokens: 0 },
    });
  });

  test('bills only a crashed worker’s own words, without the continued text', async () => {
    const asked = await stopped();
    const continuing = await goOn(owner, asked, asked.answer.id);
    const lease = { holder: 'w', until: clock.now() };
    const { _id: id, epoch, text, textEpoch } = await claimed(owner, continuing);
    const progress = { id, epoch, citations: [], firstTokenAt: null };
    await generations.keep(everywhere, [{ ...progress, text, textEpoch }]);
    const again = (await finishing.restart(await bench.find(owner, continuing), lease))!;
    await generations.keep(everywhere, [{ ...progress, epoch: 2, text: 'Three quiet herons.', textEpoch: 2 }]);
    const last = (await finishing.restart(await bench.find(owner, continuing), lease))!;
    expect([again, last].map(({ attempts }) => attempts.at(-1)?.outputTokens)).toEqual([0, 2]);
  });

  test('continues only an ended answer with text, to this question, in the person’s own conversation', async () => {
    const [asked, other, empty] = [await stopped(), await stopped(), await stopped(owner, { text: '' })];
    const missing = { code: 'chat.message-not-found' };
    await expect(goOn(owner, asked, other.answer.id)).rejects.toMatchObject(missing);
    await expect(goOn(owner, asked, asked.message.id)).rejects.toMatchObject(missing);
    const next = await bench.ask(owner, { conversationId: other.conversation.id });
    await bench.end(owner, next);
    await expect(goOn(owner, next, other.answer.id)).rejects.toMatchObject(missing);
    await expect(goOn(owner, empty, empty.answer.id)).rejects.toMatchObject(missing);
    for (const viewer of [aViewer(owner.scope.orgId), aViewer(undefined, { userId: owner.principal.userId })]) {
      const unknown = { code: 'chat.conversation-not-found' };
      await expect(goOn(viewer, asked, asked.answer.id)).rejects.toMatchObject(unknown);
    }
    const running = await bench.ask(owner);
    await expect(goOn(owner, running, running.answer.id)).rejects.toMatchObject({ code: 'chat.generation-running' });
  });

  test('keeps the numbers of passages that the continued text cites, and gives others free numbers', async () => {
    const viewer = aViewer();
    for (const text of ['Herons are grey.', 'Herons are quiet.', 'Herons fish.']) await bench.addDocument(viewer, text);
    const first = await bench.ask(viewer, { text: 'herons' });
    const { citations } = await prepare.prepare(await bench.find(viewer, first));
    const cited = citations[1]! satisfies Citation;
    const end = anEnd({ status: 'stopped', text: 'Quiet [2], gre', citations: [cited] });
    await finishing.finish(await claimed(viewer, first), end);
    const continuing = await goOn(viewer, first, first.answer.id);
    const prepared = await prepare.prepare(await bench.find(viewer, continuing));
    expect(prepared.passages.find(({ number }) => number === 2)).toMatchObject({ documentName: cited.documentName });
    expect(prepared.citations.find(({ number }) => number === 2)).toEqual(cited);
    expect(new Set(prepared.citations.map(({ number }) => number))).toEqual(new Set([1, 2, 3]));
  });
});
