import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clientIdOf, type ConnectionId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { derivedId, newId } from '@parley/platform/ids';
import { Readable } from 'node:stream';
import { chatbotRows, chatbotVersionRows } from './assistants/chatbots/chatbot.collection.ts';
import { defaultChatbot, defaultIdOf } from './assistants/chatbots/default-chatbot.ts';
import { FeedbackCounts } from './feedback/feedback-counts.ts';
import { feedbackCountRows } from './feedback/feedback.collection.ts';
import { connectionRows } from './knowledge/connections/connection.collection.ts';
import { defaultConnection } from './knowledge/connections/connection.ts';
import { defaultConnectionIdOf } from './knowledge/connections/default-connection.ts';
import { documentRows } from './knowledge/documents/rows/document.collection.ts';
import { newDocument } from './knowledge/documents/rows/document.ts';
import { syncBench } from './testing/sync-bench.spec-setup.ts';
import { aViewer } from './testing/viewer.spec-setup.ts';

const bench = await syncBench();
const { mongo, chatbotRows: chatbots, connectionRepository: connections, synced, work } = bench;
beforeAll(bench.ready);
afterAll(bench.end);

/** Makes ids until a client could send the id that follows: about one in 85. */
function until<Id>(make: () => Id, kind: 'chatbot' | 'connection' | 'document', derive: (id: Id) => string): Id {
  for (;;) {
    const id = make();
    if (clientIdOf(kind).safeParse(derive(id)).success) return id;
  }
}
const anOrganisation = () => newId('organisation');

describe('the default chatbot, where a stranger has taken its id', () => {
  const orgId = until(anOrganisation, 'chatbot', defaultIdOf);
  const { scope } = aViewer(orgId);
  const id = defaultIdOf(orgId);
  const find = () => chatbots.find(scope, id);
  beforeAll(async () => {
    const stranger = aViewer();
    const taken = { ...defaultChatbot(stranger.scope.orgId), _id: id, isDefault: false, revision: 1 };
    await mongo.rows(chatbotRows).within(stranger.scope).insert(taken);
  });

  test('is edited all the same, under the id it always had', async () => {
    await work.run(aViewer(orgId).principal, async (tx) => {
      const { row } = await chatbots.insert(scope, { ...defaultChatbot(orgId), revision: 1 }, tx);
      await chatbots.change(scope, row, { isChanged: true }, tx);
    });
    expect(await find()).toMatchObject({ _id: id, orgId, revision: 2, isChanged: true });
    expect((await chatbots.list(scope)).map(({ _id }) => _id)).toEqual([id]);
  });

  test('is found where an earlier version has stored it', async () => {
    const earlier = until(anOrganisation, 'chatbot', defaultIdOf);
    const viewer = aViewer(earlier);
    await mongo
      .rows(chatbotRows)
      .within(viewer.scope)
      .insert({ ...defaultChatbot(earlier), revision: 7 });
    expect(await chatbots.find(viewer.scope, defaultIdOf(earlier))).toMatchObject({ revision: 7 });
  });
});

describe('versions of the default chatbot, where a stranger has published some under its id', () => {
  const published = (orgId: OrgId, note: string, version = 1) => ({
    ...defaultChatbot(orgId).published!,
    note,
    version,
  });
  const noted = async (orgId: OrgId) =>
    (await chatbots.listVersions(aViewer(orgId).scope, defaultIdOf(orgId), { limit: 10 })).items.map(
      ({ note }) => note,
    );

  test('are published and read all the same', async () => {
    const orgId = until(anOrganisation, 'chatbot', defaultIdOf);
    const [own, stranger] = [aViewer(orgId), aViewer()];
    const add = (viewer: typeof own, note: string) =>
      work.run(viewer.principal, (tx) =>
        chatbots.addVersion(viewer.scope, defaultIdOf(orgId), published(viewer.scope.orgId, note), tx),
      );
    await add(stranger, 'stranger');
    await add(own, 'own');
    expect(await noted(orgId)).toEqual(['own']);
    const ref = { id: defaultIdOf(orgId), version: 1 };
    expect(await chatbots.content(own.scope, ref)).toEqual(defaultChatbot(orgId).draft);
  });

  test('are found where an earlier version has stored them', async () => {
    const orgId = until(anOrganisation, 'chatbot', defaultIdOf);
    const { scope } = aViewer(orgId);
    const id = defaultIdOf(orgId);
    const content = { ...defaultChatbot(orgId).draft, instructions: 'Be kind.' };
    const row = { _id: `${id}/1`, orgId, chatbotId: id, ...published(orgId, 'earlier'), content };
    await mongo.rows(chatbotVersionRows).within(scope).insert(row);
    expect(await noted(orgId)).toEqual(['earlier']);
    expect(await chatbots.content(scope, { id, version: 1 })).toMatchObject({ instructions: 'Be kind.' });
  });
});

describe('counts of ratings of the default chatbot', () => {
  const counts = new FeedbackCounts(mongo);
  const ratedAt = new Date('2026-11-29T10:00:00Z');
  const rate = (orgId: OrgId, scope: ReturnType<typeof aViewer>['scope']) => {
    const chatbot = { id: defaultIdOf(orgId), version: 1, name: 'Assistant', glyph: 'bot' as const };
    const { principal } = aViewer(scope.orgId);
    return work.run(principal, (tx) => counts.move(scope, { chatbot, ratedAt }, { from: null, to: 'up' }, tx));
  };

  test('are kept where a stranger has counted under its id', async () => {
    const orgId = until(anOrganisation, 'chatbot', defaultIdOf);
    const [{ scope }, stranger] = [aViewer(orgId), aViewer()];
    await rate(orgId, stranger.scope);
    await rate(orgId, scope);
    expect(await counts.since(scope, '2026-11-01')).toMatchObject({ up: 1, down: 0 });
  });

  test('go on where an earlier version has counted', async () => {
    const orgId = until(anOrganisation, 'chatbot', defaultIdOf);
    const { scope } = aViewer(orgId);
    const [chatbotId, day] = [defaultIdOf(orgId), '2026-11-29'];
    const counted = { orgId, chatbotId, version: 1, day, name: 'Assistant', glyph: 'bot' as const, up: 2, down: 1 };
    await mongo
      .rows(feedbackCountRows)
      .within(scope)
      .insert({ _id: `${chatbotId}/1/${day}`, ...counted });
    await rate(orgId, scope);
    expect(await counts.since(scope, '2026-11-01')).toMatchObject({ up: 3, down: 1 });
  });
});

describe('the data connection for uploads, where a stranger has taken its id', () => {
  const take = async (orgId: OrgId) => {
    const stranger = aViewer();
    const taken = { ...defaultConnection(stranger.scope.orgId), _id: defaultConnectionIdOf(orgId), version: 1 };
    await mongo.rows(connectionRows).within(stranger.scope).insert(taken);
  };

  test('is restricted all the same, under the id it always had', async () => {
    const orgId = until(anOrganisation, 'connection', defaultConnectionIdOf);
    const { scope, principal } = aViewer(orgId);
    const id = defaultConnectionIdOf(orgId);
    await take(orgId);
    const audience = { kind: 'some' as const, roles: ['owner' as const], groupIds: [], userIds: [] };
    const changed = await bench.service.change({
      scope,
      principal,
      params: { connectionId: id },
      body: { version: 0, audience },
    } as never);
    expect(changed).toMatchObject({ id, audience });
    expect(await connections.find(scope, id)).toMatchObject({ _id: id, orgId, audience });
    expect((await connections.list(scope)).map(({ _id }) => _id)).toEqual([id]);
  });

  test('is found where an earlier version has stored it', async () => {
    const orgId = until(anOrganisation, 'connection', defaultConnectionIdOf);
    const { scope } = aViewer(orgId);
    await mongo
      .rows(connectionRows)
      .within(scope)
      .insert({ ...defaultConnection(orgId), version: 5 });
    expect(await connections.find(scope, defaultConnectionIdOf(orgId))).toMatchObject({ version: 5 });
    expect(await connections.list(scope)).toHaveLength(1);
  });
});

describe('a synced document, where a stranger has taken its id', () => {
  const address = 'https://wiki.example/leave';
  const derived = (id: ConnectionId) => derivedId('document', [id, address]);
  const found = {
    address,
    name: 'Leave',
    mediaType: 'text/plain' as const,
    etag: null,
    lastModified: null,
    hash: null,
  };
  const row = (orgId: OrgId, connectionId: ConnectionId) =>
    newDocument(
      { id: derived(connectionId), orgId, connectionId, name: 'Leave', mediaType: 'text/plain', bytes: 1 },
      'Wiki',
      new Date(),
      { address, triedAt: new Date(), seenRun: 1, status: 'failed', failure: 'source-failed' },
    );
  const connection = () => ({ _id: until(() => newId('connection'), 'document', derived), name: 'Wiki', run: 1 });

  test('is stored and found all the same', async () => {
    const { scope } = aViewer();
    const source = connection();
    const stranger = aViewer();
    await mongo.rows(documentRows).within(stranger.scope).insert(row(stranger.scope.orgId, source._id));
    await synced.store(scope, source, found, Readable.from(['Carry over']));
    await synced.keep(scope, { ...source, run: 2 }, [address]);
    expect((await synced.known(scope, source._id, [address])).get(address)).toMatchObject({ address, seenRun: 2 });
  });

  test('is stored in its connection where a colleague has taken its id', async () => {
    const { scope } = aViewer();
    const source = connection();
    const uploads = defaultConnectionIdOf(scope.orgId);
    const upload = { ...row(scope.orgId, uploads), _id: derived(source._id), address: null, name: 'Own notes' };
    await mongo.rows(documentRows).within(scope).insert(upload);
    await synced.store(scope, source, found, Readable.from(['Carry over']));
    await synced.keep(scope, { ...source, run: 2 }, [address]);
    const known = (await synced.known(scope, source._id, [address])).get(address);
    expect(known).toMatchObject({ name: 'Leave', connectionId: source._id, seenRun: 2 });
    const kept = await mongo.rows(documentRows).within(scope).findById(upload._id);
    expect(kept).toMatchObject({ name: 'Own notes', connectionId: upload.connectionId, seenRun: 1 });
  });

  test('keeps the id that an earlier version has given it', async () => {
    const { scope } = aViewer();
    const source = connection();
    await mongo.rows(documentRows).within(scope).insert(row(scope.orgId, source._id));
    await synced.store(scope, source, found, Readable.from(['Carry over']));
    expect((await synced.known(scope, source._id, [address])).get(address)?._id).toBe(derived(source._id));
    expect(await mongo.rows(documentRows).within(scope).count({})).toBe(1);
  });
});
