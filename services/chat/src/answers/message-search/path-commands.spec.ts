import { beforeAll, expect, test } from '@jest/globals';
import type { MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { watchCommands } from '@parley/testing';
import { treeBench } from '../../testing/tree-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';

const bench = await treeBench();
const { listing, lines, reading } = bench;
const viewer = aViewer();
const conversationId = newId('conversation');
const questions = 25;
const answers: MessageId[] = [];
beforeAll(async () => {
  await bench.ready();
  for (let asked = 0; asked < questions; asked += 1) await ask();
}, 90_000);

async function ask(parentId?: MessageId): Promise<void> {
  const asked = await bench.ask(viewer, { conversationId, ...(parentId && { parentId }) });
  await bench.end(viewer, asked);
  answers.push(asked.answer.id);
}

/** Returns the result of `read`, and the store commands that it sent. */
async function looks<Result>(read: () => Promise<Result>): Promise<readonly [Result, string[]]> {
  const { commands, stop } = watchCommands();
  try {
    return [await read(), commands.map(({ what }) => what).toSorted()];
  } finally {
    stop();
  }
}
const asking = (query: object) => ({ ...viewer, params: { conversationId }, query: { limit: 50, ...query } }) as never;
const path = (query: object = {}) => looks(() => listing.list(asking(query)));
const line = (query: object = {}) => looks(() => lines.list(asking(query)));

test('sends the same store commands for the newest page of a chat without branches as for its message list', async () => {
  const [page, commands] = await path();
  const [list, expected] = await line();
  expect(commands).toEqual(expected);
  const { items, sequence, hasOlder } = list;
  expect(page).toMatchObject({ items, sequence, hasOlder, versions: [], elsewhere: [], placeVersion: 0 });
  expect([items.length, page.leafId]).toEqual([2 * questions, answers.at(-1)]);
  const [part] = await path({ limit: 10 });
  expect([part.items, part.leafId, part.hasOlder]).toEqual([items.slice(-10), answers.at(-1), true]);
});

test('takes one more command, which finds the path’s end, for other pages and changes of such a chat', async () => {
  const leaf = answers.at(-1);
  for (const query of [
    { leaf, before: 21, limit: 10 },
    { before: 21, limit: 10 },
  ]) {
    const [older, looked] = await path(query);
    const [list, expected] = await line({ before: 21, limit: 10 });
    expect(looked).toEqual([...expected, 'messages.find'].toSorted());
    expect([older.items, older.leafId, older.versions]).toEqual([list.items, leaf, []]);
  }
  const after = 2 * questions;
  const [news, looked] = await path({ after, leaf });
  const [list, expected] = await line({ after });
  expect(looked).toEqual([...expected, 'messages.find'].toSorted());
  expect(news.items).toEqual(list.items);
  expect(news.versions).toEqual(list.items.map(({ id, parentId }) => ({ parentId, ids: [id] })));
});

test('stores no reading position for a move in a chat without branches, because it has only one path', async () => {
  const move = (through: MessageId) =>
    listing.move({ ...viewer, params: { conversationId }, body: { through, version: 3 } } as never);
  expect(await move(answers[3]!)).toEqual({ leafId: answers.at(-1), version: 0 });
  expect(await reading.find(viewer.scope, { conversationId, userId: viewer.principal.userId })).toBeNull();
  await expect(move(newId('message'))).rejects.toMatchObject({ code: 'chat.message-not-found' });
});

test('lists the versions of a question on a page with at most 12 store commands', async () => {
  await ask(answers[20]);
  const [page, commands] = await path();
  expect(page.versions).toEqual([expect.objectContaining({ parentId: answers[20] })]);
  expect([page.items.length, page.placeVersion, page.leafId]).toEqual([44, 1, answers.at(-1)]);
  // Each `findOne` is counted twice, with the `find` that it makes.
  expect(commands.length).toBeLessThanOrEqual(12);
});
