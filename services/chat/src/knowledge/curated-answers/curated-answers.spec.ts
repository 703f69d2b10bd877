import { beforeAll, describe, expect, test } from '@jest/globals';
import type { createCuratedAnswer, CuratedAnswer } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { BodyOf } from '@parley/protocol';
import type { Reloads } from '../../reloads.ts';
import { chatBench } from '../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { CuratedAnswerFinder } from './curated-answer-finder.ts';
import { CuratedAnswersRepository } from './curated-answers.repository.ts';

const bench = await chatBench();
const { curated } = bench;
beforeAll(bench.ready);

const question = 'How much is the night allowance?';
type Said = Partial<BodyOf<typeof createCuratedAnswer>>;
const write = (viewer: Viewer, more: Said = {}): Promise<CuratedAnswer> => {
  const body = { id: newId('curatedAnswer'), questions: [question], text: 'It is €48.', chatbotId: null, ...more };
  return curated.create({ ...viewer, body } as never);
};
const change = (viewer: Viewer, { id, revision, ...known }: CuratedAnswer, more: Partial<CuratedAnswer>) => {
  const { author: _author, editedAt: _editedAt, ...said } = known;
  const body = { ...said, revision, ...more };
  return curated.change({ ...viewer, params: { curatedAnswerId: id }, body } as never);
};
const list = async (viewer: Viewer, text?: string) =>
  (await curated.list({ ...viewer, query: { limit: 10, text } } as never)).items.map(({ text: said }) => said);
const remove = (viewer: Viewer, { id }: CuratedAnswer) =>
  curated.delete({ ...viewer, params: { curatedAnswerId: id } } as never);
const quoted = (viewer: Viewer, { id }: CuratedAnswer) =>
  curated.quoted({ ...viewer, params: { curatedAnswerId: id } } as never);
/** What an answer is made of. */
const prepared = async (viewer: Viewer, more: Parameters<typeof bench.ask>[1] = {}) =>
  bench.prepare.prepare(await bench.find(viewer, await bench.ask(viewer, { text: question, ...more })));
const found = async (viewer: Viewer, more?: Parameters<typeof bench.ask>[1]) =>
  (await prepared(viewer, more)).passages.filter((passage) => passage.curated).map(({ text }) => text);

/** What the built-in assistant makes of it. */
async function said(viewer: Viewer): Promise<string> {
  const { client, ...request } = await prepared(viewer);
  const alone = { beginning: '', maxOutputTokens: null, locale: 'en', signal: new AbortController().signal };
  let text = '';
  await client.answer({ ...request, ...alone }, (part) => void (text += part.kind === 'text' ? part.text : ''));
  return text;
}

describe('a curated answer', () => {
  test('comes before all passages, is said word for word and cited as what it is', async () => {
    const viewer = aViewer();
    await bench.addDocument(viewer, 'The night allowance is €35.');
    const { id, author, editedAt } = await write(viewer, { text: 'It is **€48**.' });
    const { passages, citations } = await prepared(viewer);
    expect(passages.map(({ text, number }) => [number, text])).toEqual([
      [1, 'It is **€48**.'],
      [2, 'The night allowance is €35.'],
    ]);
    expect(citations[0]).toMatchObject({ documentName: question, curated: { id, by: author.name, at: editedAt } });
    expect(await said(viewer)).toBe('It is **€48**. [1]');
  });

  test('is found without any document, and where a chatbot takes no passages or may only say what documents say', async () => {
    const viewer = aViewer();
    await write(viewer);
    expect(await found(viewer)).toEqual(['It is €48.']);
    const strict = { knowledge: { passages: 0, onlyFromDocuments: true, connectionIds: null } };
    expect(await found(viewer, { chatbotId: await bench.addChatbot(viewer, strict) })).toEqual(['It is €48.']);
  });

  test('is found by a question that is close enough, in any of its wordings, and by no other', async () => {
    const viewer = aViewer();
    await write(viewer, { questions: [question, 'What do I get for travelling at night?'] });
    await write(viewer, { questions: ['How much is the day allowance?'], text: 'It is €12.' });
    expect(await found(viewer, { text: 'how much is the night allowance' })).toEqual(['It is €48.']);
    expect(await found(viewer, { text: 'What do I get for travelling at night' })).toEqual(['It is €48.']);
    expect(await found(viewer, { text: 'How much is the day allowance?' })).toEqual(['It is €12.']);
    expect(await found(viewer, { text: 'How much is the parking fee?' })).toEqual([]);
    expect(await found(viewer, { text: `${question} ${'Tell me more about it. '.repeat(3)}` })).toEqual([]);
  });

  test('is of its organisation, of its chatbot, and only while it is active', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, {});
    const written = await write(viewer, { chatbotId });
    expect([await found(viewer), await found(viewer, { chatbotId })]).toEqual([[], ['It is €48.']]);
    expect(await found(aViewer())).toEqual([]);
    const paused = await change(viewer, written, { isActive: false });
    expect(await found(viewer, { chatbotId })).toEqual([]);
    const back = await change(viewer, paused, { isActive: true, text: 'It is €50.', chatbotId: null });
    expect([await found(viewer), await found(viewer, { chatbotId })]).toEqual([['It is €50.'], ['It is €50.']]);
    await remove(viewer, back);
    expect(await found(viewer)).toEqual([]);
  });

  test('is shown as a source to whoever may use its chatbot', async () => {
    const viewer = aViewer();
    const member = aViewer(viewer.scope.orgId, { role: 'member' });
    const audience = { kind: 'some' as const, roles: ['owner' as const], groupIds: [], userIds: [] };
    const open = await write(viewer);
    const closed = await write(viewer, { chatbotId: await bench.addChatbot(viewer, { audience }) });
    expect(await quoted(member, open)).toMatchObject({ question, text: 'It is €48.', by: viewer.principal.name });
    expect(await quoted(viewer, closed)).toMatchObject({ text: 'It is €48.' });
    for (const [who, what] of [
      [member, closed],
      [aViewer(), open],
    ] as const)
      await expect(quoted(who, what)).rejects.toMatchObject({ code: 'chat.curated-answer-not-found' });
  });
});

describe('curated answers', () => {
  test('are listed newest first, found by the words of their questions, and written once', async () => {
    const viewer = aViewer();
    const first = await write(viewer);
    await write(viewer, { questions: ['Where do I park?'], text: 'Behind the house.' });
    expect(await write(viewer, { id: first.id, text: 'Other.' })).toEqual(first);
    expect(await list(viewer)).toEqual(['Behind the house.', 'It is €48.']);
    expect(await list(viewer, 'night allow')).toEqual(['It is €48.']);
    expect(await list(aViewer(viewer.scope.orgId), 'parking')).toEqual([]);
    expect(await list(aViewer())).toEqual([]);
  });

  test('of two who change one, the second is shown what the first has written', async () => {
    const viewer = aViewer();
    const written = await write(viewer);
    await change(viewer, written, { text: 'First.' });
    await expect(change(viewer, written, { text: 'Second.' })).rejects.toMatchObject({
      code: 'platform.conflict',
      extras: { current: { text: 'First.', revision: 2 } },
    });
  });

  test('name a chatbot of the own organisation, and nobody else changes them', async () => {
    const [viewer, other] = [aViewer(), aViewer()];
    const chatbotId = await bench.addChatbot(other, {});
    await expect(write(viewer, { chatbotId })).rejects.toMatchObject({ code: 'chat.chatbot-not-found' });
    const written = await write(viewer);
    const unknown = { code: 'chat.curated-answer-not-found' };
    await expect(change(other, written, { text: 'Mine.' })).rejects.toMatchObject(unknown);
    await expect(remove(other, written)).rejects.toMatchObject(unknown);
  });

  test('are told by their ids, and nothing that they say', async () => {
    const viewer = aViewer();
    const written = await write(viewer);
    await remove(viewer, await change(viewer, written, { text: 'It is €50.' }));
    const told = (await bench.recorded()).filter(
      ({ data }) => (data as { curatedAnswerId?: string }).curatedAnswerId === written.id,
    );
    expect(told.map(({ data }) => (data as { change: string }).change)).toEqual(['created', 'changed', 'deleted']);
    expect(JSON.stringify(told)).not.toMatch(/€|night/);
  });

  test('of another process are found after the next look; whoever has none asks no store', async () => {
    const viewer = aViewer();
    const rows = new CuratedAnswersRepository(bench.mongo);
    const finder = new CuratedAnswerFinder(rows, {} as Reloads);
    const { id } = await bench.chatbots.choose(viewer, undefined);
    const find = () => finder.find(viewer.scope, id, question);
    await write(viewer);
    expect(await find()).toBeNull();
    await finder.reload();
    expect(await find()).toMatchObject({ text: 'It is €48.' });
  });
});
