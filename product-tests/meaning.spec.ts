import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AskedFile } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { anEmbeddingServer, type EmbeddingServer } from '@parley/testing/model-streams';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newPerson, password, startTestParley, type TestParley } from '@parley/embedded/test-parley';

let server: EmbeddingServer;
let running: TestParley;
let admin: ParleyClient;
const folder = mkdtempSync(join(tmpdir(), 'parley-meaning-'));
const start = () => startTestParley({ PARLEY_OUTBOUND_ALLOW: server.address }, { folder });
beforeAll(async () => {
  server = await anEmbeddingServer();
  running = await start();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  admin = await newPerson(running.url, { organisation: 'Prices', setupToken });
  await admin.call('POST /api/billing/rates', {
    body: {
      id: newId('rate'),
      currency: 'EUR',
      host: server.address,
      model: 'embed-1',
      inputMicros: 1_000_000,
      cachedMicros: 1_000_000,
      outputMicros: 0,
      validFrom: null,
      validUntil: null,
      replaces: null,
    },
  });
}, 60_000);
afterAll(async () => {
  await running.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const text = '# Garage\n\nThe automobile stands in hall four.\n\n# Birds\n\nHerons nest in reeds.';
async function newOwner(embeddingModel: string | null = 'embed-1') {
  const owner = await newPerson(running.url, { organisation: `Meaning ${Date.now()}` });
  const id = newId('provider');
  await owner.call('POST /api/chat/providers', {
    body: {
      id,
      name: 'Stand-in',
      baseUrl: server.url,
      models: ['chat-1'],
      defaultModel: 'chat-1',
      isDefault: false,
      embeddingModel,
    },
  });
  return { owner, id };
}
const vectorsOf = (owner: ParleyClient) => owner.call('GET /api/chat/embedding');
const untilAll = (owner: ParleyClient, passages: number) =>
  eventually(
    async () => expect(await vectorsOf(owner)).toMatchObject({ passages, withVectors: passages }),
    'all passages should have vectors',
  );
const find = async (owner: ParleyClient) =>
  (await owner.call('POST /api/chat/search-tests', { body: { text: 'Where do I find my car?' } })).passages;

/** A question waits 0.4 s for its vector and then counts by its words: on a busy machine it is asked again. */
const found = (owner: ParleyClient) =>
  eventually(async () => {
    const passages = await find(owner);
    expect(passages).toHaveLength(1);
    return passages;
  }, 'the question should get its vector in time');

async function quoted(owner: ParleyClient, files: AskedFile[] = []): Promise<string> {
  const conversationId = newId('conversation');
  await owner.send(conversationId, 'Where do I find my car?', { model: 'builtin' as never, files });
  return eventually(async () => {
    const answer = (await owner.messages(conversationId)).items.at(-1);
    expect(answer?.generation?.status).toBe('done');
    return answer!.text;
  }, 'the answer should be there');
}

describe('what documents mean', () => {
  test('is found where a provider embeds, is billed as it was counted, and forgotten where none does any more', async () => {
    const { owner, id } = await newOwner();
    await owner.upload('handbook.md', text);
    await untilAll(owner, 2);
    expect(await found(owner)).toMatchObject([{ heading: 'Garage', ranks: { words: null, meaning: 1 } }]);
    expect(await quoted(owner)).toContain('The automobile stands in hall four.');
    await eventually(async () => {
      const entries = await owner.ledgerEntries();
      const embeddings = entries.filter(({ kind, outcome }) => kind === 'embedding' && outcome === 'done');
      const told = embeddings.map(({ userId, inputTokens, costMicros }) => ({ userId, inputTokens, costMicros }));
      expect(told).toEqual([
        { userId: owner.me!.id, inputTokens: 10, costMicros: 10 },
        { userId: owner.me!.id, inputTokens: 10, costMicros: 10 },
        { userId: null, inputTokens: 20, costMicros: 20 },
      ]);
    }, 'each call should have its entry');
    await eventually(async () => {
      const { total } = await owner.call('GET /api/monitoring/metrics', { query: { span: 'hour', by: 'model' } });
      expect(total.figures).toMatchObject({ attempts: 1, embeddingTokens: 40 });
    }, 'monitoring should count its tokens, as no attempt');
    await owner.call('PATCH /api/chat/providers/:providerId', {
      params: { providerId: id },
      body: { version: 1, embeddingModel: null },
    });
    expect(await find(owner)).toEqual([]);
    expect(await quoted(owner)).not.toContain('automobile');
    expect(await vectorsOf(owner)).toMatchObject({ model: null, withVectors: 0 });
  }, 60_000);

  test('is not found where none does, and nobody is asked', async () => {
    const { owner } = await newOwner(null);
    const before = server.asked.length;
    const { id } = await owner.upload('handbook.md', text);
    await eventually(async () => {
      const { items } = await owner.call('GET /api/chat/documents');
      expect(items.find((each) => each.id === id)?.status).toBe('searchable');
    }, 'the document should be searchable');
    expect(await find(owner)).toEqual([]);
    expect(server.asked.length).toBe(before);
  });

  test('costs no more than a hard limit allows: passages wait for the budget, questions are searched for by words', async () => {
    const { owner } = await newOwner();
    await owner.call('POST /api/billing/budgets', {
      body: {
        id: newId('budget'),
        scope: { kind: 'organisation' },
        period: 'month',
        unit: 'tokens',
        softLimit: null,
        hardLimit: 20,
      },
    });
    const before = server.asked.length;
    await owner.upload('handbook.md', text);
    await eventually(
      async () => expect(await vectorsOf(owner)).toMatchObject({ passages: 2, failure: 'budget-spent' }),
      'it should wait for the budget',
    );
    expect(server.asked.length).toBe(before);
    const limitTo = async (hardLimit: number) => {
      const [{ id: budgetId, version } = {} as never] = (await owner.call('GET /api/billing/budgets')).items;
      const body = { version, softLimit: null, hardLimit };
      await owner.call('PUT /api/billing/budgets/:budgetId', { params: { budgetId }, body });
    };
    await limitTo(150);
    await untilAll(owner, 2);
    const spent = () =>
      eventually(async () => {
        const [budget] = (await owner.call('GET /api/billing/budgets')).items;
        expect(budget).toMatchObject({ held: 0 });
        return budget!.spent;
      }, 'what was held should become what was used');
    expect(await spent()).toBe(20);
    await found(owner);
    await limitTo(Number(await spent()) + 15);
    const asked = server.asked.length;
    expect(await find(owner)).toEqual([]);
    expect(server.asked.length).toBe(asked);
  }, 60_000);

  test('is asked for again after a restart in the middle; what it may have cost is written down once', async () => {
    const { owner } = await newOwner();
    server.act = () => undefined;
    const before = server.asked.length;
    await owner.upload('handbook.md', text);
    await eventually(() => expect(server.asked.length).toBeGreaterThan(before), 'the model should be asked');
    await running.close();
    server.act = null;
    running = await start();
    const again = new ParleyClient(running.url);
    await again.signIn(owner.me?.email ?? '', password);
    again.orgId = owner.orgId;
    await untilAll(again, 2);
    await eventually(async () => {
      const entries = (await again.ledgerEntries()).filter(({ kind }) => kind === 'embedding');
      expect(entries.map(({ outcome }) => outcome)).toEqual(['done', 'interrupted']);
    }, 'both calls should be in the ledger');
  }, 60_000);
});

describe('what a file of a chat means', () => {
  test('is found after a first question has searched it, paid by the person who attached it', async () => {
    const { owner } = await newOwner();
    const id = newId('file');
    await owner.attach(id, 'handbook.md', text);
    await eventually(async () => {
      const { items } = await owner.call('GET /api/chat/files', { query: { ids: id } });
      expect(items[0]?.status).toBe('ready');
    }, 'the file should be ready');
    const files: AskedFile[] = [{ id, use: 'searched' }];
    expect(await quoted(owner, files)).not.toContain('automobile');
    const paid = { userId: owner.me!.id, inputTokens: 20, costMicros: 20, outcome: 'done' };
    await eventually(
      async () => expect(await owner.ledgerEntries()).toContainEqual(expect.objectContaining(paid)),
      'its passages should be paid',
    );
    // A question waits 0.4 s for its vector: on a busy machine it is asked again.
    await eventually(
      async () => expect(await quoted(owner, files)).toContain('The automobile stands in hall four.'),
      'the file should be found by meaning',
    );
    expect((await owner.ledgerEntries()).filter(({ inputTokens }) => inputTokens === 20)).toHaveLength(1);
  }, 60_000);
});
