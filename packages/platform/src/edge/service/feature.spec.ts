import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { downloadDocument, getPicture, listLedgerEntries, permissions, register, type Me } from '@parley/contracts';
import { Problem, type Download, type ResponseOf } from '@parley/protocol';
import { newId } from '../../base/ids/index.ts';
import { feature, type InputOf } from './index.ts';
import { anOrgId, aPerson, OwnerBench, startTestStore, type TestStore } from '@parley/testing';

type Entries = ResponseOf<typeof listLedgerEntries>;

@Injectable()
class Ledger {
  readonly asked: unknown[] = [];

  list({ scope, query }: InputOf<typeof listLedgerEntries>): Entries {
    this.asked.push({ orgId: scope.orgId, limit: query.limit });
    return { items: [], nextCursor: null };
  }
}

class NoMethod {}
class OtherInput {
  list({ body }: InputOf<typeof register>): Entries {
    return { items: [], nextCursor: body.name };
  }
}
class OtherAnswer {
  list(): Promise<Me | null> {
    return Promise.resolve(null);
  }
}

@Injectable()
class Pictures {
  async show({ params }: InputOf<typeof getPicture>): Promise<Uint8Array> {
    if (params.pictureId !== picture) throw new Problem('platform.not-found');
    return new Uint8Array([0, 200, 10]);
  }
}
const picture = newId('picture');

@Injectable()
class Files {
  async file({ params }: InputOf<typeof downloadDocument>): Promise<Download> {
    const isWhole = params.documentId === whole;
    return {
      name: 'Plän "a"\r\nSet-Cookie: x.html',
      content: (async function* () {
        yield Buffer.from('<script>alert(1)</script>'.repeat(10_000));
        if (!isWhole) throw new Error('the disk is gone');
      })(),
    };
  }
}
const whole = newId('document');

const routes = { list: listLedgerEntries };
// @ts-expect-error -- the route has no method
feature({ routes, handlers: NoMethod });
// @ts-expect-error -- the method takes the input of another route
feature({ routes, handlers: OtherInput });
// @ts-expect-error -- the method answers something else
feature({ routes, handlers: OtherAnswer });

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store.close());

test("a feature's routes call the methods of their names, behind the guard of their contracts", async () => {
  const parts = { modules: [feature({ routes, handlers: Ledger })], providers: () => [], group: null };
  const service = await OwnerBench.start(store, 'billing', parts);
  const orgId = anOrgId();
  const member = aPerson({ organisation: { orgId, permissions, rightsVersion: 1 } });
  const answers = [
    await service.call(listLedgerEntries, { as: member }),
    await service.call(listLedgerEntries),
    await service.call(listLedgerEntries, { as: aPerson() }),
    await service.call(listLedgerEntries, { as: member, path: `${listLedgerEntries.path}?limit=many` }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 400, 400]);
  expect(await answers[0]!.json()).toEqual({ items: [], nextCursor: null });
  await service.close();
});

test('lets browsers cache bytes with the media type of their contract, and not a refusal', async () => {
  const parts = {
    modules: [feature({ routes: { show: getPicture }, handlers: Pictures })],
    providers: () => [],
    group: null,
  };
  const service = await OwnerBench.start(store, 'auth', parts);
  const get = (id: string) => service.call(getPicture, { as: aPerson(), path: `/api/auth/pictures/${id}` });
  const [shown, refused] = [await get(picture), await get(newId('picture'))];
  const bytes = Buffer.from(await shown.arrayBuffer());
  await service.close();
  expect([shown.headers.get('content-type'), shown.headers.get('cache-control')]).toEqual([
    'image/webp',
    'private, max-age=31536000, immutable',
  ]);
  expect(bytes).toEqual(Buffer.from([0, 200, 10]));
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([404, null]);
});

test('sends a file as an attachment that no browser runs or caches, and never completes a broken-off one', async () => {
  const parts = {
    modules: [feature({ routes: { file: downloadDocument }, handlers: Files })],
    providers: () => [],
    group: null,
  };
  const service = await OwnerBench.start(store, 'chat', parts);
  const as = aPerson({ organisation: { orgId: anOrgId(), permissions, rightsVersion: 1 } });
  const get = (id: string) => service.call(downloadDocument, { as, path: `/api/chat/documents/${id}/content` });
  const file = await get(whole);
  const names = [
    'content-type',
    'x-content-type-options',
    'content-security-policy',
    'cache-control',
    'content-length',
  ];
  expect(names.map((name) => file.headers.get(name))).toEqual([
    'application/octet-stream',
    'nosniff',
    "default-src 'none'; sandbox; frame-ancestors 'none'",
    'private, no-store',
    null,
  ]);
  expect(file.headers.get('content-disposition')).toBe(
    'attachment; filename="Pl?n \\"a\\"??Set-Cookie: x.html"; filename*=UTF-8\'\'Pl%C3%A4n%20%22a%22%0D%0ASet-Cookie%3A%20x.html',
  );
  expect(await file.text()).toHaveLength(250_000);
  await expect(get(newId('document')).then((cut) => cut.text())).rejects.toThrow();
  await service.close();
});
