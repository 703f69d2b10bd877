import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { permissionsOf } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { askNext } from '../../conversations/index.ts';
import type { AskNow } from './ask-now.ts';
import { queueBench } from './queue-bench.spec-setup.ts';

const bench = await queueBench();
const { add, ids, question, read, texts, endRunning, busy, full, org } = bench;
const runner = bench.aRunner();
beforeAll(bench.ready);
beforeEach(() => void Object.assign(org, { rights: permissionsOf('member'), accessEnd: null, isAway: false }));

describe('a queue on hold', () => {
  test.each(['failed', 'interrupted'] as const)(
    'holds the queue after an answer %s, and continues on request',
    async (status) => {
      const { viewer, id, texted } = await full();
      await endRunning(viewer, id, status);
      await runner.startAll();
      expect(await read(viewer, id)).toMatchObject({ waitsForPerson: true, items: { length: 3 } });
      await question(viewer, id, { text: 'late' });
      await runner.startAll();
      expect(await texted()).toEqual(['first']);
      expect(await bench.resume(viewer, id)).toMatchObject({ waitsForPerson: false });
      await bench.resume(viewer, id);
      await runner.startAll();
      expect(await texted()).toEqual(['first', 'herons']);
      expect(await texts(viewer, id)).toEqual(['storks', 'cranes', 'late']);
    },
  );

  test('holds the queue after its next question repeatedly failed to start, and continues on request', async () => {
    const { viewer, id, texted } = await full();
    await endRunning(viewer, id);
    const asking = { ask: () => Promise.reject(new Error('broken')) } as unknown as AskNow;
    for (let attempt = 1; attempt <= askNext.attempts; attempt += 1) {
      await bench.aRunner(bench.aStarter({ asking })).startAll();
      bench.clock.advance(askNext.pauseMs(attempt));
    }
    expect(await read(viewer, id)).toMatchObject({ waitsForPerson: true, items: { length: 3 } });
    await bench.resume(viewer, id);
    await runner.startAll();
    expect(await texted()).toEqual(['first', 'herons']);
  });

  test('stays on hold while someone asks another question, and continues after its answer', async () => {
    const { viewer, id, texted } = await full();
    await endRunning(viewer, id, 'failed');
    await bench.ask(viewer, { conversationId: id, text: 'beside' });
    expect((await read(viewer, id)).waitsForPerson).toBe(false);
    await endRunning(viewer, id);
    await runner.startAll();
    expect(await texted()).toEqual(['first', 'beside', 'herons']);
  });

  test('follows the answer that is requested to replace the failed one', async () => {
    const { viewer, id, message, sent } = await full();
    await endRunning(viewer, id, 'failed');
    const again = { conversationId: id, parentId: message.id, ...ids() };
    await bench.answering.answer(viewer, again);
    expect((await read(viewer, id)).items.map(({ parentId }) => parentId)).toEqual([
      again.answerId,
      sent[0]?.answerId,
      sent[1]?.answerId,
    ]);
    await endRunning(viewer, id);
    await runner.startAll();
    const asked = (await bench.said(viewer, id)).find(({ text }) => text === 'herons');
    expect(asked?.parentId).toBe(again.answerId);
  });

  test('keeps a question below its own answer if another question is answered again', async () => {
    const { viewer, id, message } = await busy();
    await endRunning(viewer, id);
    const { answer: second } = await bench.ask(viewer, { conversationId: id, text: 'second' });
    await question(viewer, id, { parentId: second.id });
    await endRunning(viewer, id, 'failed');
    await bench.answering.answer(viewer, { conversationId: id, parentId: message.id, ...ids() });
    expect((await read(viewer, id)).items[0]?.parentId).toBe(second.id);
  });

  test('holds the queue after its first question was refused, and keeps that question with the reason', async () => {
    const { viewer, id, answer, texted } = await busy();
    const gone = { kind: 'question', parentId: answer.id, text: 'herons', chatbotId: newId('chatbot') };
    await add(viewer, id, { ...gone, messageId: newId('message'), ...ids() });
    await question(viewer, id, { parentId: answer.id, text: 'storks' });
    await endRunning(viewer, id);
    await runner.startAll();
    const { items, waitsForPerson } = await read(viewer, id);
    expect([waitsForPerson, items.map(({ refusal }) => refusal)]).toEqual([
      true,
      ['chat.chatbot-not-found', undefined],
    ]);
    await bench.withdraw(viewer, id, items[0]!.id);
    await bench.resume(viewer, id);
    await runner.startAll();
    expect(await texts(viewer, id)).toEqual([]);
    expect(await texted()).toEqual(['first', 'storks']);
  });

  test.each([
    ['may not ask any more', { rights: [] }],
    ['had their access ended since', { accessEnd: new Date(8_640_000_000_000_000) }],
  ])('holds the queue if its person %s, until they can again', async (_name, lost) => {
    const { viewer, id, texted } = await full();
    await endRunning(viewer, id);
    Object.assign(org, lost);
    await runner.startAll();
    expect(await read(viewer, id)).toMatchObject({
      waitsForPerson: true,
      items: [{ refusal: 'platform.forbidden' }, {}, {}],
    });
    Object.assign(org, { rights: permissionsOf('member'), accessEnd: null });
    await bench.resume(viewer, id);
    await runner.startAll();
    expect(await texted()).toEqual(['first', 'herons']);
    expect((await read(viewer, id)).items.map(({ refusal }) => refusal)).toEqual([undefined, undefined]);
  });

  test('doesn’t hold the queue while nobody can tell the person’s permissions', async () => {
    const { viewer, id, texted } = await full();
    await endRunning(viewer, id);
    org.isAway = true;
    await runner.startAll();
    expect((await read(viewer, id)).waitsForPerson).toBe(false);
    org.isAway = false;
    await runner.startAll();
    expect(await texted()).toEqual(['first', 'herons']);
  });
});
