import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPlatformAdmin } from '@parley/auth';
import { openDataFolder, openStoppedStore } from '@parley/embedded';
import { startEmbeddedMongo } from '@parley/embedded-mongo';
import { hashSecret } from '@parley/platform/crypto';
import { Mongo } from '@parley/platform/mongo';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorPlatform } from './operator-platform.ts';
import { printResetLink } from './reset-link.ts';

let data: string;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'parley-reset-link-'));
  const store = await startEmbeddedMongo({ file: (await openDataFolder(data)).store });
  const person = {
    email: 'ines@lindmoor.example',
    name: 'Ines',
    locale: 'ar',
    password: 'three quiet herons',
  } as const;
  await createPlatformAdmin(await operatorPlatform(store.uri('parley_auth'), 'auth'), person);
  await store.close();
});
afterAll(() => rmSync(data, { recursive: true }));

async function links(): Promise<unknown[]> {
  const store = await openStoppedStore(data);
  const mongo = await Mongo.connect(store.uri('parley_auth'));
  const rows = await mongo.connection.collection('reset_links').find().toArray();
  await mongo.close();
  await store.close();
  return rows.map(({ _id }) => _id);
}

test('a link is printed in the language of the account; the newest one only is kept, by its hash', async () => {
  const printed: string[] = [];
  for (const address of ['ines@lindmoor.example', ' INES@lindmoor.example'])
    printed.push((await printResetLink(address, { data, publicUrl: 'https://parley.example/' }))[0]!);
  const token = /^https:\/\/parley\.example\/ar\/reset-password#([\w-]{43})$/.exec(printed[1]!)?.[1] ?? '';
  expect(printed[0]).not.toBe(printed[1]);
  expect(await links()).toEqual([hashSecret(token)]);
});

test('a data folder is served here unless somebody says where', async () => {
  const [link] = await printResetLink('ines@lindmoor.example', { data });
  expect(link).toMatch(/^http:\/\/localhost:3000\/ar\/reset-password#/);
});

test('no such account, and nobody who knows where people reach it', async () => {
  await expect(printResetLink('nobody@lindmoor.example', { data })).rejects.toThrow('nobody@lindmoor.example');
  await expect(printResetLink('ines@lindmoor.example', {})).rejects.toThrow('--public-url');
});
