import { beforeAll, describe, expect, test } from '@jest/globals';
import { mostSharedCharacters } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { aViewer } from '../testing/viewer.spec-setup.ts';
import { feedbackBench } from './feedback-bench.spec-setup.ts';

const bench = await feedbackBench();
beforeAll(bench.ready);

describe('a rating', () => {
  test('is given, repeated, changed and taken back, and counted once', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, {});
    const asked = await bench.answered(viewer, { chatbotId });
    const sums = async () => {
      const { up, down, chatbots } = await bench.counted(viewer);
      return [up, down, chatbots.map(({ name, versions }) => [name, versions])];
    };
    const wrong = { reasons: ['wrong-facts', 'wrong-facts'] as const, comment: 'Four.' };
    const rated = await bench.rate(viewer, asked, { ...wrong, reasons: [...wrong.reasons] });
    expect(rated).toMatchObject({ rating: 'down', reasons: ['wrong-facts'], comment: 'Four.', reply: null });
    expect(await bench.rate(viewer, asked, { ...wrong, reasons: ['wrong-facts'] })).toEqual(rated);
    expect(await bench.toldOf(rated.id)).toHaveLength(1);
    expect(await sums()).toEqual([0, 1, [['Grid Engineer', [{ version: 1, up: 0, down: 1 }]]]]);
    expect(await bench.rate(viewer, asked, { rating: 'up', reasons: ['style'] })).toMatchObject({ reasons: [] });
    expect(await sums()).toEqual([1, 0, [['Grid Engineer', [{ version: 1, up: 1, down: 0 }]]]]);
    expect(await bench.mine(viewer, asked)).toMatchObject([{ messageId: asked.answer.id, rating: 'up' }]);
    await bench.withdraw(viewer, asked);
    await bench.withdraw(viewer, asked);
    expect(await sums()).toEqual([0, 0, []]);
    expect([await bench.mine(viewer, asked), (await bench.list(viewer)).items]).toEqual([[], []]);
    expect((await bench.toldOf(rated.id)).map(({ data }) => [data.change, data.rating])).toEqual([
      ['rated', 'down'],
      ['rated', 'up'],
      ['withdrawn', 'up'],
    ]);
  });

  test('is of an answer of an own chat that has ended, and of nothing else', async () => {
    const viewer = aViewer();
    const running = await bench.ask(viewer);
    await expect(bench.rate(viewer, running)).rejects.toMatchObject({ code: 'chat.generation-running' });
    await bench.end(viewer, running);
    const question = { ...running, answer: running.message };
    await expect(bench.rate(viewer, question)).rejects.toMatchObject({ code: 'chat.message-not-found' });
    for (const other of [aViewer(viewer.scope.orgId), aViewer()]) {
      await expect(bench.rate(other, running)).rejects.toMatchObject({ code: 'chat.conversation-not-found' });
      await expect(bench.withdraw(other, running)).rejects.toMatchObject({ code: 'chat.conversation-not-found' });
    }
    const gone = { ...running, answer: { ...running.answer, id: newId('message') } };
    await expect(bench.withdraw(viewer, gone)).rejects.toMatchObject({ code: 'chat.message-not-found' });
    await expect(bench.rate(viewer, running)).resolves.toBeDefined();
  });

  test('of a bad answer is something to do, of a good one is not, and what was decided stays', async () => {
    const viewer = aViewer();
    const asked = await bench.answered(viewer);
    const { id } = await bench.rate(viewer, asked, { rating: 'up' });
    const state = async () => (await bench.get(viewer, id)).state;
    expect(await state()).toBeNull();
    await bench.rate(viewer, asked);
    expect(await state()).toBe('new');
    await bench.rate(viewer, asked, { rating: 'up' });
    expect(await state()).toBeNull();
    const { revision } = await bench.get(viewer, id);
    await bench.change(viewer, id, { revision, state: 'wont-fix' });
    await bench.rate(viewer, asked, { comment: 'Still wrong.' });
    expect(await state()).toBe('wont-fix');
  });

  test('tells the own tabs, and everybody who may read feedback, ids and states', async () => {
    const viewer = aViewer();
    const asked = await bench.answered(viewer);
    const { id } = await bench.rate(viewer, asked, { comment: 'A secret.', messages: 2 });
    const told = (await bench.recorded()).filter(({ subject }) => subject === id);
    expect(told.map(({ type }) => type).toSorted()).toEqual(['feedback.changed.v1', 'feedback.noted.v1']);
    expect(JSON.stringify(told)).not.toMatch(/secret|heron/i);
  });
});

describe('what is sent along', () => {
  test('is what was agreed to and never more: the last messages up to the answer, as they are read', async () => {
    const viewer = aViewer();
    const first = await bench.answered(viewer, { text: 'One?', answer: 'First.' });
    const conversationId = first.conversation.id;
    const second = await bench.answered(viewer, { conversationId, text: 'Two?', answer: 'Old [1].' });
    const ids = { answerId: newId('message'), generationId: newId('generation') };
    const { answer } = await bench.answering.answer(viewer, { conversationId, parentId: second.message.id, ...ids });
    await bench.end(viewer, { ...second, answer }, 'New.');
    await bench.answered(viewer, { conversationId, text: 'Three?', answer: 'Third.' });
    const texts = async (asked: typeof second, messages: number) => {
      const { id, sharedMessages } = await bench.rate(viewer, asked, { messages });
      const shared = await bench.shared(viewer, id);
      expect(sharedMessages).toBe(shared.length);
      return shared.map(({ text }) => text);
    };
    expect(await texts(second, 20)).toEqual(['One?', 'First.', 'Two?', 'Old [1].']);
    expect(await texts(second, 3)).toEqual(['First.', 'Two?', 'Old [1].']);
    expect(await texts({ ...second, answer }, 2)).toEqual(['Two?', 'New.']);
    expect(await texts(second, 0)).toEqual([]);
  });

  test('is cut where it is long, the rated answer is always there', async () => {
    const viewer = aViewer();
    const long = 'x'.repeat(mostSharedCharacters + 5);
    const asked = await bench.answered(viewer, { answer: long });
    const { id } = await bench.rate(viewer, asked, { messages: 2 });
    const shared = await bench.shared(viewer, id);
    expect(shared).toHaveLength(1);
    expect(shared[0]!.text).toHaveLength(mostSharedCharacters);
  });

  test('names its sources by their places only', async () => {
    const viewer = aViewer();
    const asked = await bench.ask(viewer);
    const [documentId, chunkId] = [newId('document'), newId('chunk')];
    const cited = { number: 1, documentId, chunkId, documentName: 'Secret plans', heading: null };
    await bench.end(viewer, asked, { text: 'Three [1].', citations: [cited] });
    const { id } = await bench.rate(viewer, asked, { messages: 1 });
    const shared = await bench.shared(viewer, id);
    expect(shared[0]?.citations).toEqual([{ number: 1, chunkId, curatedAnswerId: null }]);
    expect(JSON.stringify(await bench.get(viewer, id))).not.toContain('Secret');
  });

  test('is nothing without consent: a case has rating, reasons, chatbot, version and model', async () => {
    const viewer = aViewer();
    const { id } = await bench.rate(viewer, await bench.answered(viewer, { text: 'Private?' }), { reasons: ['style'] });
    const { question, chatbot, model, reasons, sharedMessages } = await bench.get(viewer, id);
    expect([question, reasons, sharedMessages, chatbot.version, chatbot.name, model.key]).toEqual([
      null,
      ['style'],
      0,
      0,
      'Assistant',
      'builtin',
    ]);
    expect(await bench.shared(viewer, id)).toEqual([]);
  });

  test('is read by whom the reporter is told', async () => {
    const viewer = aViewer();
    bench.holders.push(...['Ann', 'Ben', 'Cem', 'Dan'].map((name) => ({ userId: newId('user'), name })));
    bench.holders.push({ userId: viewer.principal.userId, name: 'Oneself' });
    expect(await bench.own.readers(viewer as never)).toEqual({ names: ['Ann', 'Ben', 'Cem'], more: 1 });
  });
});

test('a deleted chat leaves the rating without text, also where it comes back', async () => {
  const viewer = aViewer();
  const asked = await bench.answered(viewer, { text: 'Private?' });
  const other = await bench.rate(viewer, await bench.answered(viewer), { comment: 'Stays.' });
  const { id } = await bench.rate(viewer, asked, { reasons: ['style'], comment: 'Private!', messages: 2 });
  expect(await bench.get(viewer, id)).toMatchObject({ question: 'Private?', sharedMessages: 2 });
  const params = { conversationId: asked.conversation.id };
  await bench.keeping.delete({ ...viewer, params } as never);
  await bench.keeping.restore({ ...viewer, params } as never);
  const left = await bench.get(viewer, id);
  expect(left).toMatchObject({ rating: 'down', reasons: ['style'], sharedMessages: 0, isChatDeleted: true });
  expect(JSON.stringify(left)).not.toContain('Private');
  expect(await bench.shared(viewer, id)).toEqual([]);
  expect((await bench.counted(viewer)).down).toBe(2);
  expect(await bench.get(viewer, other.id)).toMatchObject({ comment: 'Stays.' });
  expect((await bench.toldOf(id)).map(({ data }) => data.change)).toEqual(['rated', 'emptied']);
});

test('a deleted part of a chat leaves the ratings in it without text, and the others as they are', async () => {
  const viewer = aViewer();
  const first = await bench.answered(viewer, { text: 'Open?' });
  const conversationId = first.conversation.id;
  const second = await bench.answered(viewer, { text: 'Private?', conversationId, parentId: first.answer.id });
  const above = await bench.rate(viewer, first, { comment: 'Stays.', messages: 2 });
  const below = await bench.rate(viewer, second, { comment: 'Private!', messages: 2 });
  const params = { conversationId, messageId: second.message.id };
  await bench.deleting.delete({ ...viewer, params } as never);
  expect(JSON.stringify(await bench.get(viewer, below.id))).not.toContain('Private');
  expect(await bench.shared(viewer, below.id)).toEqual([]);
  expect(await bench.get(viewer, above.id)).toMatchObject({ question: 'Open?', comment: 'Stays.' });
});
