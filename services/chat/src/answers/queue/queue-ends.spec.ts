import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { MessageId } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { askNext, queuedQuestionsToJobs, type Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import type { AskNow } from './ask-now.ts';
import { queueBench } from './queue-bench.spec-setup.ts';
import type { QueueRepository } from './queue.repository.ts';

const bench = await queueBench();
const { add, ids, question, read, texts, endRunning, said, conversations, marks, rows } = bench;
beforeAll(bench.ready);

/** Creates a chat with an ended answer, a running one, and two questions that wait for it. */
async function waiting(viewer: Viewer = aViewer()) {
  const first = await bench.ask(viewer, { text: 'first' });
  const { id } = first.conversation;
  await endRunning(viewer, id);
  const second = await bench.ask(viewer, { conversationId: id, text: 'second' });
  const herons = await question(viewer, id, { parentId: second.answer.id, text: 'herons' });
  const storks = await question(viewer, id, { parentId: herons.answerId, text: 'storks' });
  const asked = async () => (await said(viewer, id)).filter(({ role }) => role === 'person').map(({ text }) => text);
  const row = async () => (await conversations.find(viewer.scope, id))!;
  return { viewer, id, first, second, herons, storks, asked, row };
}
const nothing = { text: '', revision: 0, others: [] };

describe('queueing below a question without an answer', () => {
  test('asks a queued question on its turn, below a question whose answer was deleted', async () => {
    const viewer = aViewer();
    const { conversation, message, answer } = await bench.ask(viewer, { text: 'first' });
    const { id } = conversation;
    await endRunning(viewer, id);
    await bench.remove(viewer, id, answer.id);
    await bench.ask(viewer, { conversationId: id, parentId: null, text: 'beside' });
    const { messageId } = await question(viewer, id, { parentId: message.id, text: 'herons' });
    await endRunning(viewer, id);
    await bench.aRunner().startAll();
    expect(await texts(viewer, id)).toEqual([]);
    const found = await bench.messages.find(viewer.scope, { conversationId: id, id: messageId });
    expect(found).toMatchObject({ text: 'herons', parentId: message.id });
  });

  test('keeps a queued question below that question if the queued answer between them is withdrawn', async () => {
    const viewer = aViewer();
    const { conversation, message, answer } = await bench.ask(viewer, { text: 'first' });
    const { id } = conversation;
    await endRunning(viewer, id);
    await bench.remove(viewer, id, answer.id);
    await bench.ask(viewer, { conversationId: id, parentId: null, text: 'beside' });
    const again = { kind: 'again', parentId: message.id, ...ids() } as const;
    await add(viewer, id, again);
    const { messageId } = await question(viewer, id, { parentId: again.answerId, text: 'herons' });
    await bench.withdraw(viewer, id, again.answerId);
    expect((await read(viewer, id)).items).toMatchObject([{ id: messageId, parentId: message.id }]);
  });
});

describe('deleting a message above queued questions', () => {
  test('returns queued questions below a deleted message to the composer, and asks the others', async () => {
    const { viewer, id, first, second, row, asked } = await waiting();
    await question(viewer, id, { parentId: first.answer.id, text: 'beside' });
    await add(viewer, id, { kind: 'again', parentId: second.message.id, ...ids() });
    await bench.remove(viewer, id, second.message.id);
    expect(await texts(viewer, id)).toEqual(['beside']);
    expect(await bench.draft(viewer, id)).toMatchObject({ text: 'herons\n\nstorks', others: [] });
    expect(await row()).toMatchObject({ queued: 1 });
    await endRunning(viewer, id, 'stopped');
    await bench.aRunner().startAll();
    expect(await asked()).toEqual(['first', 'second', 'beside']);
  });

  test('keeps returned texts beside a typed draft, and leaves other branches queued', async () => {
    const { viewer, id, second } = await waiting();
    await bench.drafts.save({ ...viewer, params: { where: id }, body: { text: 'typed', revision: 0 } } as never);
    const other = await question(viewer, id, { parentId: null, text: 'other' });
    const below = await question(viewer, id, { parentId: other.answerId, text: 'below' });
    await bench.remove(viewer, id, second.answer.id);
    expect(await texts(viewer, id)).toEqual(['other', 'below']);
    expect((await read(viewer, id)).items.at(-1)).toMatchObject({ id: below.messageId, parentId: other.answerId });
    const { text, others } = await bench.draft(viewer, id);
    expect([text, others.map((one) => one.text)]).toEqual(['typed', ['herons\n\nstorks']]);
  });

  test('makes as many drafts as long returned texts need', async () => {
    const { viewer, id, second } = await waiting();
    for (const text of ['a'.repeat(32_000), 'b'.repeat(20_000), 'c'.repeat(9_000)])
      await question(viewer, id, { parentId: second.answer.id, text });
    await bench.remove(viewer, id, second.message.id);
    const { text, others } = await bench.draft(viewer, id);
    expect([text, ...others.map((one) => one.text)].map(({ length }) => length)).toEqual([14, 32_000, 29_002]);
  });

  test('returns a queued question to the composer if the refused question above it is discarded', async () => {
    const viewer = aViewer();
    const { conversation, message, answer } = await bench.ask(viewer);
    const { id } = conversation;
    await question(viewer, id, { parentId: answer.id, text: 'storks' });
    await bench.end(viewer, { answer }, { status: 'failed', failure: 'budget-spent', text: '' });
    await bench.discarding.discard(viewer, { conversationId: id, messageId: message.id, isDiscarded: true });
    expect([await texts(viewer, id), (await bench.draft(viewer, id)).text]).toEqual([[], 'storks']);
  });

  test('asks a question or returns it to the composer if its parent is deleted on its turn', async () => {
    const { viewer, id, second, asked } = await waiting();
    await endRunning(viewer, id);
    await Promise.all([bench.aRunner().startAll(), bench.remove(viewer, id, second.message.id)]);
    const { text } = await bench.draft(viewer, id);
    const isAsked = (await asked()).includes('herons');
    expect([text, await texts(viewer, id)]).toEqual([isAsked ? 'storks' : 'herons\n\nstorks', []]);
  });
});

describe('deleting a chat', () => {
  test('asks no queued question of a deleted chat; restoring the chat finds their texts in the composer', async () => {
    const { viewer, id, asked, row } = await waiting();
    await bench.keeping.delete(bench.call(viewer, id));
    await endRunning(viewer, id, 'stopped');
    await bench.aRunner().startAll();
    expect(await row()).toMatchObject({ queued: 0 });
    await bench.keeping.restore(bench.call(viewer, id));
    await bench.aRunner().startAll();
    expect([await asked(), await texts(viewer, id)]).toEqual([['first', 'second'], []]);
    expect((await bench.draft(viewer, id)).text).toBe('herons\n\nstorks');
  });
});

/** Returns a copy of this object that throws in the method call with the number `at`. */
function cutAt<Part extends object>(part: Part, at: number): Part {
  let calls = 0;
  return new Proxy(part, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        calls += 1;
        if (calls === at) throw new Error('cut off');
        return (value as (...given: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}
const steps = [1, 2, 3, 4];

describe('a process that dies', () => {
  test.each(steps)('loses and doubles nothing if it dies while starting a question, at step %i', async (at) => {
    const { viewer, id, asked, row } = await waiting();
    await endRunning(viewer, id);
    for (const parts of [{ rows: cutAt(rows, at) }, { marks: cutAt(marks, at) }])
      await bench
        .aStarter(parts)
        .startNext(await row())
        .catch(() => undefined);
    await bench.aRunner().startAll();
    expect([...(await asked()), ...(await texts(viewer, id))]).toEqual(['first', 'second', 'herons', 'storks']);
    expect(await row()).toMatchObject({ queued: (await texts(viewer, id)).length });
  });

  test.each(steps)('adds or withdraws a question completely or not at all, if it dies at step %i', async (at) => {
    const { viewer, id, herons, row } = await waiting();
    const body = { kind: 'question', messageId: newId('message'), parentId: null, text: 'cranes', ...ids() };
    for (const service of [bench.aService({ rows: cutAt(rows, at) }), bench.aService({ marks: cutAt(marks, at) })]) {
      await service.add({ ...(bench.call(viewer, id) as object), body } as never).catch(() => undefined);
      expect(await row()).toMatchObject({ queued: (await texts(viewer, id)).length });
    }
    for (const service of [bench.aService({ rows: cutAt(rows, at) }), bench.aService({ marks: cutAt(marks, at) })]) {
      await service.withdraw(bench.call(viewer, id, { messageId: herons.messageId })).catch(() => undefined);
      const { items } = await read(viewer, id);
      expect(await row()).toMatchObject({ queued: items.length });
      const there = new Set<MessageId | null>([null, (await row()).running!.answerId]);
      for (const { parentId, answerId } of items) {
        expect(there).toContain(parentId);
        there.add(answerId);
      }
    }
  });
});

describe('a worker of the queue', () => {
  test('starts questions that are ready when it begins, and later ones when it is rung for', async () => {
    const [before, after] = [await waiting(), await waiting()];
    await endRunning(before.viewer, before.id);
    const runner = bench.aRunner();
    await runner.start();
    await eventually(async () => (await before.asked()).includes('herons'), 'what was left should be asked');
    await endRunning(after.viewer, after.id);
    await eventually(async () => (await after.asked()).includes('herons'), 'the end of an answer should ring');
    await endRunning(after.viewer, after.id, 'failed');
    await bench.resume(after.viewer, after.id);
    await eventually(async () => (await after.asked()).includes('storks'), 'going on should ring');
    await runner.end();
  });

  test('takes turns by person: many chats of one person don’t delay another’s', async () => {
    const [flood, other] = [aViewer(), aViewer()];
    const chats = [];
    for (let count = 0; count <= 20; count += 1) chats.push(await waiting(flood));
    const last = await waiting(other);
    for (const { viewer, id } of [...chats, last]) await endRunning(viewer, id);
    const starter = bench.aStarter();
    const starts = jest.spyOn(starter, 'startNext');
    await bench.aRunner(starter).startAll();
    expect(await last.asked()).toContain('herons');
    const order = starts.mock.calls.map(([{ _id }]) => _id);
    expect(order.indexOf(last.id)).toBeLessThan(askNext.slots.all);
    expect(order).toHaveLength(chats.length + 1);
  });

  test('starts questions that an earlier version left ready, but none of a queue on hold', async () => {
    const [ready, held] = [await waiting(), await waiting()];
    await endRunning(ready.viewer, ready.id);
    await endRunning(held.viewer, held.id, 'failed');
    await bench.mongo.connection.collection('jobs').deleteMany({});
    for (let again = 0; again < 2; again += 1)
      for (let at: string | null = null; (at = await queuedQuestionsToJobs.batch(bench.mongo, at)) !== null;);
    await bench.aRunner().startAll();
    expect([await ready.asked(), await held.asked()]).toEqual([
      ['first', 'second', 'herons'],
      ['first', 'second'],
    ]);
  });

  test('tries again if limits leave no room now, without putting the queue on hold', async () => {
    const { viewer, id, row, asked } = await waiting();
    await endRunning(viewer, id);
    const asking = { ask: () => Promise.reject(new Problem('platform.rate-limited')) } as unknown as AskNow;
    expect(await bench.aStarter({ asking }).startNext(await row())).toBe('later');
    expect((await read(viewer, id)).waitsForPerson).toBe(false);
    await bench.aRunner().startAll();
    expect(await asked()).toContain('herons');
  });

  test.each([
    ['edited', 'egrets', ['storks']],
    ['withdrawn', 'storks', []],
  ])('asks no outdated text of a question that was %s after it was read', async (how, next, left) => {
    const { viewer, id, herons, asked, row } = await waiting();
    await endRunning(viewer, id);
    const { messageId } = herons;
    const seen: QueueRepository['first'] = async (...which) => {
      const first = await rows.first(...which);
      if (how === 'edited') await bench.edit(viewer, id, messageId, { version: 1, text: 'egrets' });
      else await bench.withdraw(viewer, id, messageId);
      return first;
    };
    const slow = Object.assign(Object.create(rows) as QueueRepository, { first: seen });
    expect(await bench.aStarter({ rows: slow }).startNext(await row())).toBe('gone');
    expect(await asked()).toEqual(['first', 'second']);
    await bench.aRunner().startAll();
    expect([await asked(), await texts(viewer, id)]).toEqual([['first', 'second', next], left]);
  });

  test('refuses no question if another process has begun an answer meanwhile', async () => {
    const { viewer, id, asked, row } = await waiting();
    await endRunning(viewer, id);
    const seen = await row();
    await bench.aRunner().startAll();
    expect(await bench.aStarter().startNext(seen)).toBe('gone');
    const { items, waitsForPerson } = await read(viewer, id);
    expect([waitsForPerson, items.map(({ text, refusal }) => [text, refusal])]).toEqual([
      false,
      [['storks', undefined]],
    ]);
    await endRunning(viewer, id);
    await bench.aRunner().startAll();
    expect(await asked()).toEqual(['first', 'second', 'herons', 'storks']);
  });

  test('removes a question that another call has asked under the same ids', async () => {
    const { viewer, id, herons, asked, row } = await waiting();
    await endRunning(viewer, id, 'failed');
    await bench.sending.send(viewer, { ...herons, conversationId: id });
    await endRunning(viewer, id);
    await bench.aRunner().startAll();
    expect([await asked(), await texts(viewer, id)]).toEqual([['first', 'second', 'herons'], ['storks']]);
    await bench.aRunner().startAll();
    expect(await asked()).toContain('storks');
    expect(await row()).toMatchObject({ queued: 0 });
  });
});

test('publishes no change of a queue for a question in a chat without one', async () => {
  const viewer = aViewer();
  const { conversation } = await bench.ask(viewer);
  await endRunning(viewer, conversation.id);
  expect(await bench.draft(viewer, conversation.id)).toEqual(nothing);
  const told = (await bench.recorded()).filter(({ tenantid }) => tenantid === viewer.scope.orgId);
  expect(told.map(({ type }) => type)).not.toContain('queue.changed.v1');
});
