import { beforeAll, describe, expect, test } from '@jest/globals';
import { mostQueued } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { newQuestion } from '../../testing/chat-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { queueBench } from './queue-bench.spec-setup.ts';

const bench = await queueBench();
const { add, ids, question, read, texts, endRunning, said, busy, full } = bench;
const runner = bench.aRunner();
beforeAll(bench.ready);

const missing = { code: 'chat.message-not-found' };
const unknown = { code: 'chat.conversation-not-found' };
const conflict = { code: 'platform.conflict' };

describe('adding to a queue', () => {
  test('asks immediately if no answer runs, also in a new chat, and queues otherwise', async () => {
    const viewer = aViewer();
    const id = newId('conversation');
    const first = { kind: 'question', messageId: newId('message'), parentId: null, text: 'first', ...ids() };
    expect(await add(viewer, id, first)).toEqual({ items: [], waitsForPerson: false, started: true });
    const next = { ...first, messageId: newId('message'), parentId: first.answerId, text: 'next', ...ids() };
    const { items, ...rest } = await add(viewer, id, next);
    expect(rest).toEqual({ waitsForPerson: false, started: false });
    expect(items).toEqual([
      {
        id: next.messageId,
        kind: 'question',
        parentId: first.answerId,
        text: 'next',
        answerId: next.answerId,
        generationId: next.generationId,
        author: { userId: viewer.principal.userId, name: viewer.principal.name },
        queuedAt: bench.clock.now().toISOString(),
        version: 1,
      },
    ]);
    const { orgId } = viewer.scope;
    const told = (await bench.recorded()).filter(
      (event) => event.type === 'queue.changed.v1' && event.tenantid === orgId,
    );
    expect(told.map(({ data }) => data)).toEqual([{ orgId, conversationId: id, userId: viewer.principal.userId }]);
  });

  test('can be repeated while the question waits, when it is asked, and when it is answered', async () => {
    const { viewer, id, answer, texted } = await busy();
    const sent = await question(viewer, id, { parentId: answer.id });
    expect(await add(viewer, id, { ...sent, text: 'other' })).toMatchObject({
      started: false,
      items: [{ text: 'herons' }],
    });
    await endRunning(viewer, id);
    await runner.startAll();
    expect(await add(viewer, id, sent)).toMatchObject({ started: true, items: [] });
    await endRunning(viewer, id);
    expect(await add(viewer, id, sent)).toMatchObject({ started: true, items: [] });
    expect(await texted()).toEqual(['first', 'herons']);
  });

  test(`queues ${mostQueued} questions and refuses the next; accepts those of two tabs at the same moment`, async () => {
    const { viewer, id, answer } = await busy();
    const { id: parentId } = answer;
    await Promise.all([question(viewer, id, { parentId }), question(viewer, id, { parentId })]);
    for (let count = 2; count < mostQueued - 1; count += 1) await question(viewer, id, { parentId });
    const last = await Promise.allSettled([question(viewer, id, { parentId }), question(viewer, id, { parentId })]);
    expect(last.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(last.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'chat.queue-full' } });
    expect((await read(viewer, id)).items).toHaveLength(mostQueued);
    expect(await bench.conversations.find(viewer.scope, id)).toMatchObject({ queued: mostQueued });
  });

  test('starts one of two questions that tabs send at once, and queues the other', async () => {
    const { viewer, id, answer, texted } = await busy();
    await endRunning(viewer, id);
    const tab = (text: string) => question(viewer, id, { parentId: answer.id, text });
    await Promise.all([tab('one'), tab('two')]);
    expect(await texts(viewer, id)).toHaveLength(1);
    expect(await texted()).toHaveLength(2);
  });

  test('refuses a parent that is missing, deleted or has the wrong role', async () => {
    const { viewer, id, message, answer } = await busy();
    const other = await busy(viewer);
    for (const parentId of [other.message.id, other.answer.id, newId('message')])
      await expect(question(viewer, id, { parentId })).rejects.toMatchObject(missing);
    const again = (more: object) => add(viewer, id, { kind: 'again', parentId: message.id, ...ids(), ...more });
    for (const parentId of [answer.id, other.message.id])
      await expect(again({ parentId })).rejects.toMatchObject(missing);
    await expect(again({ continues: answer.id })).rejects.toMatchObject({ code: 'chat.generation-running' });
    await expect(again({ continues: other.answer.id })).rejects.toMatchObject(missing);
    await bench.remove(viewer, id, answer.id);
    await expect(question(viewer, id, { parentId: answer.id })).rejects.toMatchObject(missing);
    expect((await read(viewer, id)).items).toEqual([]);
  });

  test('refuses to add, read, edit, withdraw or continue in the queue of anyone else’s chat', async () => {
    const { viewer, id, sent } = await full();
    const { messageId } = sent[0]!;
    for (const stranger of [aViewer(viewer.scope.orgId), aViewer(undefined, { userId: viewer.principal.userId })]) {
      const calls = [
        question(stranger, id),
        read(stranger, id),
        bench.edit(stranger, id, messageId, { version: 1, text: 'x' }),
        bench.withdraw(stranger, id, messageId),
        bench.resume(stranger, id),
      ];
      for (const call of calls) await expect(call).rejects.toMatchObject(unknown);
      const own = await busy(stranger);
      await expect(bench.edit(stranger, own.id, messageId, { version: 1, text: 'x' })).rejects.toMatchObject(missing);
      await bench.withdraw(stranger, own.id, messageId);
    }
    expect(await texts(viewer, id)).toEqual(['herons', 'storks', 'cranes']);
  });
});

describe('asking waiting questions', () => {
  test('asks questions in order of arrival, one by one, each below the answer it waited for', async () => {
    const { viewer, id, answer, sent, texted } = await full();
    await runner.startAll();
    expect(await texted()).toEqual(['first']);
    for (const status of ['done', 'stopped', 'done', 'done'] as const) {
      await endRunning(viewer, id, status);
      await runner.startAll();
    }
    expect(await texted()).toEqual(['first', 'herons', 'storks', 'cranes']);
    const messages = await said(viewer, id);
    const parents = messages.filter(({ role }) => role === 'person').map(({ parentId }) => parentId);
    expect(parents).toEqual([null, answer.id, sent[0]!.answerId, sent[1]!.answerId]);
    expect(await bench.conversations.find(viewer.scope, id)).toMatchObject({ running: null, queued: 0 });
    const sequences = (await bench.eventsOf(id)).map(({ sequence }) => sequence);
    expect(sequences).toEqual(Array.from({ length: sequences.length }, (_none, at) => at + 1));
  });

  test('asks a question once with its edited text, however many processes start it', async () => {
    const { viewer, id, sent, texted } = await full();
    await bench.edit(viewer, id, sent[0]!.messageId, { version: 1, text: 'egrets' });
    await endRunning(viewer, id);
    await Promise.all([bench.aRunner().startAll(), bench.aRunner().startAll(), runner.startAll()]);
    expect(await texted()).toEqual(['first', 'egrets']);
    expect(await texts(viewer, id)).toEqual(['storks', 'cranes']);
    expect(await bench.conversations.find(viewer.scope, id)).toMatchObject({ queued: 2 });
  });

  test('answers a question again, and continues an answer', async () => {
    const { viewer, id, message, answer } = await busy();
    await endRunning(viewer, id);
    const second = await question(viewer, id, { parentId: answer.id });
    const again = { kind: 'again', parentId: message.id, ...ids() };
    const on = { kind: 'again', parentId: message.id, continues: answer.id, ...ids() };
    await add(viewer, id, again);
    await add(viewer, id, on);
    const { items } = await read(viewer, id);
    expect(items.map(({ kind, text, continues }) => [kind, text, continues])).toEqual([
      ['again', '', undefined],
      ['again', '', answer.id],
    ]);
    for (let left = 3; left > 0; left -= 1) {
      await endRunning(viewer, id);
      await runner.startAll();
    }
    const answers = (await said(viewer, id)).filter(({ role }) => role === 'assistant');
    expect(answers.map(({ _id, parentId }) => [_id, parentId])).toEqual([
      [answer.id, message.id],
      [second.answerId, second.messageId],
      [again.answerId, message.id],
      [on.answerId, message.id],
    ]);
    expect(answers.at(-1)?.text).toMatch(/^Three quiet herons\./);
  });
});

test('refuses other questions of the chat while the queue waits, also between two answers', async () => {
  const { viewer, id, message, sent, texted } = await full();
  await endRunning(viewer, id);
  const running = { code: 'chat.generation-running' };
  const overtaking = { ...newQuestion(), conversationId: id, parentId: null };
  await expect(bench.sending.send(viewer, overtaking)).rejects.toMatchObject(running);
  const again = { conversationId: id, parentId: message.id, ...ids() };
  await expect(bench.answering.answer(viewer, again)).rejects.toMatchObject(running);
  await runner.startAll();
  expect(await texted()).toEqual(['first', sent[0]!.text]);
});

describe('editing and withdrawing queued questions', () => {
  test('changes the text only of the current version, and not of an asked question', async () => {
    const { viewer, id, sent } = await full();
    const [first] = sent;
    const edit = (version: number, text: string) => bench.edit(viewer, id, first!.messageId, { version, text });
    expect(await edit(1, 'egrets')).toMatchObject({ text: 'egrets', version: 2 });
    await expect(edit(1, 'ibises')).rejects.toMatchObject({ ...conflict, extras: { current: { text: 'egrets' } } });
    await endRunning(viewer, id);
    await runner.startAll();
    await expect(edit(2, 'ibises')).rejects.toMatchObject(conflict);
    await expect(bench.withdraw(viewer, id, first!.messageId)).rejects.toMatchObject(conflict);
    const other = bench.edit(viewer, id, newId('message'), { version: 1, text: 'ibises' });
    await expect(other).rejects.toMatchObject(missing);
  });

  test('refuses an edit at the moment the question is asked, or asks the edited text', async () => {
    const { viewer, id, sent, texted } = await full();
    await endRunning(viewer, id);
    const edit = bench.edit(viewer, id, sent[0]!.messageId, { version: 1, text: 'egrets' });
    const [edited] = await Promise.allSettled([edit, runner.startAll()]);
    await runner.startAll();
    expect(await texted()).toEqual(['first', edited.status === 'fulfilled' ? 'egrets' : 'herons']);
  });

  test('moves the next question to the parent of the withdrawn one', async () => {
    const { viewer, id, answer, sent } = await full();
    await bench.withdraw(viewer, id, sent[0]!.messageId);
    await bench.withdraw(viewer, id, sent[0]!.messageId);
    const { items } = await read(viewer, id);
    expect(items.map(({ text, parentId }) => [text, parentId])).toEqual([
      ['storks', answer.id],
      ['cranes', sent[1]!.answerId],
    ]);
    expect(await bench.conversations.find(viewer.scope, id)).toMatchObject({ queued: 2 });
  });

  test('asks questions that are added later after the waiting ones', async () => {
    const { viewer, id, sent, texted } = await full();
    for (const [at, text] of ['egrets', 'ibises'].entries()) {
      await bench.withdraw(viewer, id, sent[at]!.messageId);
      await question(viewer, id, { parentId: sent[2]!.answerId, text });
    }
    expect(await texts(viewer, id)).toEqual(['cranes', 'egrets', 'ibises']);
    for (let left = 3; left > 0; left -= 1) {
      await endRunning(viewer, id);
      await runner.startAll();
    }
    expect(await texted()).toEqual(['first', 'cranes', 'egrets', 'ibises']);
  });

  test('moves the question after a withdrawn request for another answer to the newest answer', async () => {
    const { viewer, id, message, answer } = await busy();
    const again = { kind: 'again', parentId: message.id, ...ids() };
    await add(viewer, id, again);
    await question(viewer, id, { parentId: again.answerId });
    await bench.withdraw(viewer, id, again.answerId);
    expect((await read(viewer, id)).items).toMatchObject([{ text: 'herons', parentId: answer.id }]);
  });
});
