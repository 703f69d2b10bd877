import { afterEach, expect, test } from '@jest/globals';
import { openTestStore, startTestStore, withDatabase } from './test-store.ts';

const given = process.env['MONGO_URL'];
afterEach(() => {
  if (given === undefined) delete process.env['MONGO_URL'];
  else process.env['MONGO_URL'] = given;
});

test('with a MONGO_URL suites and data folders have databases of their own there', async () => {
  process.env['MONGO_URL'] = 'mongodb://one:27017,two:27017/?replicaSet=rs';
  const [suite, folder, same, other] = [
    await startTestStore(),
    await openTestStore('/a/store', 1),
    await openTestStore('/a/store', 1),
    await openTestStore('/b/store', 1),
  ];
  const uris = [
    suite.freshDatabase(),
    suite.freshDatabase(),
    folder.uri('parley_chat'),
    folder.uri('parley_org'),
    other.uri('parley_chat'),
  ];
  expect(new Set(uris).size).toBe(5);
  expect(same.uri('parley_chat')).toBe(folder.uri('parley_chat'));
  for (const uri of uris) expect(uri).toMatch(/^mongodb:\/\/one:27017,two:27017\/\w{20,63}\?replicaSet=rs$/);
});

test.each([
  ['mongodb://host', 'mongodb://host/db'],
  ['mongodb://host/?w=1', 'mongodb://host/db?w=1'],
  ['mongodb://me:secret@host/', 'mongodb://me:secret@host/db?authSource=admin'],
  ['mongodb://me:secret@host/home?w=1', 'mongodb://me:secret@host/db?w=1&authSource=home'],
  ['mongodb://me:secret@host/?authSource=home', 'mongodb://me:secret@host/db?authSource=home'],
])('%s with another database is %s', (uri, expected) => expect(withDatabase(uri, 'db')).toBe(expected));

test('an address that is looked up is refused: tests go to a server of it', () =>
  expect(() => withDatabase('mongodb+srv://host', 'db')).toThrow('mongodb://'));
