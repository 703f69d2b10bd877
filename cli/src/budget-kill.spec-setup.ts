import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KnownBudget, ConversationId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { once } from 'node:events';
import { startHaltingModel } from './halting-model.spec-setup.ts';
import { ownProcesses } from './own-process.spec-setup.ts';

const ines = { name: 'Ines', email: 'ines@lindmoor.example', password: 'three quiet herons' };
const { start } = ownProcesses();
let model: Awaited<ReturnType<typeof startHaltingModel>>;
/** Of the first process no answer comes to its end. */
let halts = true;
beforeAll(async () => {
  model = await startHaltingModel(() => halts);
});
afterAll(() => model.close());

async function signedIn(url: string, orgId: OrgId | null): Promise<ParleyClient> {
  const client = new ParleyClient(url);
  await client.signIn(ines.email, ines.password);
  client.orgId = orgId;
  return client;
}
const budgetOf = async (client: ParleyClient): Promise<KnownBudget> =>
  (await client.call('GET /api/billing/budgets')).items[0] as KnownBudget;
const stateOf = async (client: ParleyClient, id: ConversationId): Promise<string> =>
  (await client.messages(id)).items.at(-1)?.generation?.status ?? 'lost';
const setLimit = async (client: ParleyClient, hardLimit: number): Promise<void> => {
  const { id, version } = await budgetOf(client);
  const body = { version, softLimit: null, hardLimit };
  await client.call('PUT /api/billing/budgets/:budgetId', { params: { budgetId: id }, body });
};
const ask = async (client: ParleyClient): Promise<ConversationId> => {
  const conversationId = newId('conversation');
  await client.send(conversationId, 'How many?');
  return conversationId;
};

/** Killed while ten of so many questions hold a budget for ten: they are answered, the limit holds, and nothing stays held. */
export function testKilledBudget(count: number): void {
  test(`killed while ten of ${count} questions hold a budget for ten: they are answered, nothing stays held`, async () => {
    halts = true;
    // A tenth of the slots is one person's: those that hold the budget must leave some to those that are refused.
    const settings = { PARLEY_OUTBOUND_ALLOW: model.address, PARLEY_WORKER_SLOTS: '2000' };
    const first = await start(settings);
    const gone = once(first.child, 'exit');
    const client = new ParleyClient(first.url);
    await client.register({ ...ines, setupToken: first.setupToken });
    await client.createOrganisation('Lindmoor Energy');
    const provider = { name: 'Halting', baseUrl: `http://${model.address}/v1`, models: ['m'], defaultModel: 'm' };
    await client.call('POST /api/chat/providers', { body: { id: newId('provider'), ...provider, isDefault: true } });
    const budget = { scope: { kind: 'organisation' as const }, period: 'month' as const, unit: 'tokens' as const };
    await client.call('POST /api/billing/budgets', {
      body: { id: newId('budget'), ...budget, softLimit: null, hardLimit: 1_000_000 },
    });
    // Until chat has heard of it answers hold nothing; after the restart those need room like all others.
    const asked: ConversationId[] = [];
    await eventually(async () => {
      asked.push(await ask(client));
      expect((await budgetOf(client)).held).toBeGreaterThan(0);
    }, 'an answer should hold something');
    const { held } = await budgetOf(client);
    // What a dead attempt has said is paid for, beside the whole of the next one.
    await setLimit(client, held * 10 + 500);
    while (asked.length < count)
      asked.push(...(await Promise.all(Array.from({ length: Math.min(50, count - asked.length) }, () => ask(client)))));
    first.child.kill('SIGKILL');
    await gone;
    halts = false;
    const again = await start(settings);
    const after = await signedIn(again.url, client.orgId);
    const states: string[] = [];
    for (const one of asked)
      states.push(
        await eventually(async () => {
          const { spent, held: open, hardLimit } = await budgetOf(after);
          expect(spent + open).toBeLessThanOrEqual(hardLimit ?? 0);
          const state = await stateOf(after, one);
          expect(['done', 'failed']).toContain(state);
          return state;
        }, 'every answer should end'),
      );
    expect(states.filter((state) => state === 'done').length).toBeGreaterThanOrEqual(9);
    await eventually(async () => expect((await budgetOf(after)).held).toBe(0), 'nothing should stay held', 30_000);
    const next = await ask(after);
    await eventually(async () => expect(await stateOf(after, next)).toBe('done'), 'a new question is answered');
  }, 240_000);
}
