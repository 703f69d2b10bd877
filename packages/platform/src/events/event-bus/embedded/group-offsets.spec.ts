import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { silentLogger, startTestStore, watchCommands, type TestStore } from '@parley/testing';
import { Mongo } from '../../../rows/mongo/index.ts';
import { GroupOffsets } from './group-offsets.ts';

let store: TestStore;
let mongo: Mongo;
let offsets: GroupOffsets;
beforeAll(async () => {
  store = await startTestStore();
  mongo = await Mongo.connect(store.freshDatabase());
});
beforeEach(async () => {
  await mongo.connection.collection('group_offsets').deleteMany({});
  offsets = new GroupOffsets(mongo, silentLogger());
});
afterAll(async () => {
  await mongo.close();
  await store.close();
});
const kept = (id: string) => new GroupOffsets(mongo, silentLogger()).find(id);

test('stores the offsets of several groups and topics in one command, each with its last value', async () => {
  const { commands, stop } = watchCommands();
  offsets.advance('org|chat', 1);
  offsets.advance('billing|chat', 2);
  offsets.advance('org|chat', 3);
  await offsets.save().finally(stop);
  expect(commands.map(({ what }) => what)).toEqual(['group_offsets.update']);
  expect([await kept('org|chat'), await kept('billing|chat'), await kept('org|auth')]).toEqual([3, 2, 0]);
});

test('sends nothing for offsets that are stored already', async () => {
  offsets.advance('org|chat', 1);
  await Promise.all([offsets.save(), offsets.save()]);
  const { commands, stop } = watchCommands();
  await offsets.save().finally(stop);
  expect(commands).toEqual([]);
});

test('remembers an offset in this process if the store refuses it', async () => {
  const away = await Mongo.connect(store.freshDatabase());
  const refused = new GroupOffsets(away, silentLogger());
  refused.advance('org|chat', 1);
  await away.close();
  await refused.save();
  expect(await refused.find('org|chat')).toBe(1);
});
