import { beforeAll, expect, test } from '@jest/globals';
import type { ProviderId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { job } from '@parley/platform/work';
import type { OrgId } from '@parley/protocol';
import { testStore } from '@parley/testing';
import type { ProviderRow } from './provider.collection.ts';
import { ProvidersRepository } from './providers.repository.ts';

const { mongo, work, clock, ready } = await testStore();
const providers = new ProvidersRepository(mongo);
const tests = jobScope('tests');
beforeAll(ready);

const inWork = <Result>(act: Parameters<typeof work.run<Result>>[1]) => work.run(job('tests'), act);

async function add(orgId: OrgId, more: Partial<ProviderRow> = {}): Promise<ProviderId> {
  const row: ProviderRow = {
    _id: newId('provider'),
    orgId,
    kind: 'openai-compatible',
    name: 'P',
    baseUrl: 'http://localhost',
    sealedKey: null,
    keyHint: null,
    models: ['m'],
    defaultModel: 'm',
    isDefault: true,
    thinks: false,
    embeddingModel: null,
    createdAt: clock.now(),
    version: 1,
    ...more,
  };
  await inWork((tx) => providers.create(tests.in(orgId), row, tx));
  return row._id;
}

test("an organisation reaches its own providers only, and its default is not another's", async () => {
  const [mine, theirs] = [newId('organisation'), newId('organisation')];
  const [my, their] = [tests.in(mine), tests.in(theirs)];
  const [first, second, foreign] = [await add(mine), await add(mine), await add(theirs)];
  expect((await providers.list(my)).map((row) => row._id)).toEqual([first, second]);
  expect(await providers.find(my, foreign)).toBeNull();
  const change = { id: foreign, version: 1, set: { name: 'taken' } };
  expect(await inWork((tx) => providers.update(my, change, tx))).toBeNull();
  expect(await inWork((tx) => providers.delete(my, foreign, tx))).toBe(false);
  await inWork((tx) => providers.clearDefault(my, second, tx));
  expect((await providers.list(my)).map((row) => row.isDefault)).toEqual([false, true]);
  expect(await providers.find(their, foreign)).toMatchObject({ name: 'P', isDefault: true, version: 1 });
});

test("the same id again returns what is there, and somebody else's is a conflict", async () => {
  const [mine, theirs] = [newId('organisation'), newId('organisation')];
  const _id = await add(mine);
  await add(mine, { _id, name: 'again' });
  expect(await providers.find(tests.in(mine), _id)).toMatchObject({ name: 'P' });
  await expect(add(theirs, { _id })).rejects.toMatchObject({ code: 'platform.conflict' });
});

test('a change that comes too late changes nothing', async () => {
  const scope = tests.in(newId('organisation'));
  const id = await add(scope.orgId);
  const update = (name: string) => inWork((tx) => providers.update(scope, { id, version: 1, set: { name } }, tx));
  expect(await update('first')).toMatchObject({ name: 'first', version: 2 });
  expect(await update('late')).toBeNull();
});
