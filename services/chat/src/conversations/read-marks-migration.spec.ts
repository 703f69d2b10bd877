import { beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { DataMigrations } from '@parley/platform/schema';
import { testStore } from '@parley/testing';
import { aViewer } from '../testing/viewer.spec-setup.ts';
import { conversationRows } from './conversation.collection.ts';
import { readMarks } from './read-marks-migration.ts';

const { mongo, ready } = await testStore();
const { scope, principal } = aViewer();
const { userId } = principal;
const conversations = mongo.rows(conversationRows).within(jobScope('tests'));
beforeAll(ready);

/** Stores a chat with three answers: `there` is the read mark in its reading position, `here` the one in the chat. */
async function aChat(marks: { readonly there?: number; readonly here?: number; readonly of?: string }) {
  const { there, here, of = userId } = marks;
  const [_id, { orgId }] = [newId('conversation'), scope];
  const seen = (answersSeen: number | undefined) => answersSeen !== undefined && { answersSeen };
  const chat = { _id, orgId, ownerId: userId, answersEnded: 3, ...seen(here) };
  await mongo.connection.collection('conversations').insertOne(chat as never);
  const place = { conversationId: _id, orgId, userId: of, leafId: null, version: 0, ...seen(there) };
  await mongo.connection.collection('reading_places').insertOne({ _id: `${_id}/${of}`, ...place } as never);
  return _id;
}

test('moves read marks to the chats of their owners, keeps newer marks, and can run twice', async () => {
  const moved = await aChat({ there: 2 });
  const newer = await aChat({ there: 1, here: 3 });
  const never = await aChat({});
  const others = await aChat({ there: 3, of: newId('user') });
  const marks = async () => {
    const rows = await conversations.find({ _id: { $in: [moved, newer, never, others] } }, { fields: ['answersSeen'] });
    return Object.fromEntries(rows.map(({ _id, answersSeen }) => [_id, answersSeen]));
  };
  const expected = { [moved]: 2, [newer]: 3, [never]: undefined, [others]: undefined };
  await new DataMigrations(mongo, [readMarks]).run();
  expect(await marks()).toEqual(expected);
  expect(await readMarks.batch(mongo, null)).toBeNull();
  expect(await marks()).toEqual(expected);
});
