import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store } from './store.ts';

const session = Buffer.from('session');
let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
  store = new Store(join(folder, 'store.db'));
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const writeAll = (): void => {
  store.catalog.create('test', 'made');
  store.replies.keep(session, { txnNumber: 1, reply: Buffer.from('done') });
};
const known = () => [store.catalog.find('test', 'made')?.name, store.replies.find(session)?.txnNumber];

test('memory knows nothing of a group of writes that was taken back', () => {
  store.beginGroup();
  writeAll();
  expect(known()).toEqual(['made', 1]);
  store.rollbackGroup();
  expect(known()).toEqual([undefined, undefined]);
});

test('memory knows nothing of a step that threw, and goes on with its group', () => {
  store.beginGroup();
  const step = () => {
    writeAll();
    throw new Error('refused');
  };
  expect(() => store.atomically(step)).toThrow('refused');
  expect(known()).toEqual([undefined, undefined]);
  writeAll();
  store.commitGroup();
  expect(known()).toEqual(['made', 1]);
});
