import { beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { jobScope, type Transaction } from '@parley/platform/mongo';
import { job } from '@parley/platform/work';
import { aPerson, testStore } from '@parley/testing';
import { defaultConnectionIdOf } from '../connections/index.ts';
import { newDocument } from './rows/document.ts';
import { DocumentsRepository } from './rows/documents.repository.ts';
import { DocumentsService } from './documents.service.ts';

const { mongo, work, clock, ready } = await testStore();
const documents = new DocumentsRepository(mongo);
const tests = jobScope('tests');
beforeAll(ready);

test('a document whose passages cannot be hidden is not deleted: both happen in one transaction', async () => {
  const orgId = newId('organisation');
  const scope = tests.in(orgId);
  const connectionId = defaultConnectionIdOf(orgId);
  const file = {
    id: newId('document'),
    orgId,
    connectionId,
    name: 'Plan.txt',
    mediaType: 'text/plain' as const,
    bytes: 1,
  };
  await work.run(job('tests'), (tx) => documents.create(scope, newDocument(file, 'Somebody', clock.now()), tx));
  let isFailing = true;
  const hidden: boolean[] = [];
  const retrieval = {
    setHidden: async (_scope: unknown, _id: unknown, isHidden: boolean, tx?: Transaction) => {
      if (isFailing) throw new Error('the process ends here');
      hidden.push(isHidden && tx !== undefined);
    },
  };
  const service = new DocumentsService(
    documents,
    retrieval as never,
    {} as never,
    { find: async () => null } as never,
    {} as never,
    work,
    clock,
  );
  const wish = {
    scope,
    principal: aPerson({ organisation: { orgId, permissions: [], rightsVersion: 1 } }),
    params: { documentId: file.id },
  };
  await expect(service.delete(wish as never)).rejects.toThrow('the process ends here');
  expect(await documents.find(scope, file.id)).not.toBeNull();
  isFailing = false;
  await service.delete(wish as never);
  expect([await documents.find(scope, file.id), hidden]).toEqual([null, [true]]);
});
