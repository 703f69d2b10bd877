import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { LedgerEntry } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import type { Infrastructure } from '@parley/testing/distributed';
import type { Browser } from 'playwright-core';
import { PatientClient, patienceMs } from './patient-client.ts';
import { ines, joinByLink, noor } from './accounts.ts';
import { openBrowser } from './browser.ts';
import { startSlowModel, type SlowModel } from './slow-model.ts';
import { TwoOfEach } from './two-of-each.ts';
import { WatchingAdmin } from './watching-admin.ts';

/** So that no sum is round: a token costs some tenths of a cent. */
const price = { inputMicros: 1_234_567_891, outputMicros: 2_345_678_917, cachedMicros: 1_234_567_891 };
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Two owners watch the spend on two BFFs, while each BFF, each monitoring and the broker are killed in turn. */
export function defineTwoAdmins(servers: Infrastructure): void {
  let running: TwoOfEach;
  let model: SlowModel;
  let owner: ParleyClient;
  let browsers: Browser[] = [];
  let admins: WatchingAdmin[] = [];
  let asked = 0;
  beforeAll(async () => {
    model = await startSlowModel();
    running = await TwoOfEach.start(servers, { PARLEY_OUTBOUND_ALLOW: model.address });
    const create = ['admin', 'create', '--email', ines.email, '--name', ines.name];
    expect((await running.installation.parley(create, { input: `${ines.password}\n` })).code).toBe(0);
    owner = new PatientClient(running.url);
    await owner.signIn(ines.email, ines.password);
    await owner.createOrganisation('Lindmoor');
    const other = new PatientClient(running.url);
    const { id: userId } = await other.register(noor);
    await joinByLink(owner, other);
    await owner.call('PUT /api/org/members/:userId/role', { params: { userId }, body: { version: 1, role: 'owner' } });
    const slow = { name: 'Slow', baseUrl: model.url, models: ['slow-1'], defaultModel: 'slow-1', isDefault: true };
    await owner.call('POST /api/chat/providers', { body: { id: newId('provider'), ...slow } });
    const always = { host: null, validFrom: null, validUntil: null, replaces: null };
    await owner.call('POST /api/billing/rates', {
      body: { id: newId('rate'), currency: 'EUR', model: 'slow-1', ...price, ...always },
    });
    await answer(1);
    // Each browser finds its own BFF behind the one address.
    const { host } = new URL(running.url);
    const ports = [0, 1].map((copy) => running.installation.settingsOf('bff', copy)['PARLEY_PORT']);
    browsers = await Promise.all(
      ports.map((port) => openBrowser([`--host-resolver-rules=MAP ${host} 127.0.0.1:${port}`])),
    );
    admins = await Promise.all(
      [ines, noor].map((account, at) => WatchingAdmin.open(browsers[at]!, running.url, account)),
    );
  }, 300_000);
  afterAll(async () => {
    await Promise.all(browsers.map((browser) => browser.close()));
    await running?.close();
    model?.close();
  });

  /** So many questions, of different length, each asked until it is taken. */
  async function answer(count: number): Promise<void> {
    for (let nth = 0; nth < count; nth += 1) {
      const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
      const conversationId = newId('conversation');
      await owner.send(conversationId, `How many herons? ${'x'.repeat(asked)}`, ids);
      await eventually(() => model.asked === 1, 'the model should be asked', patienceMs);
      model.answerAll(`${'Herons. '.repeat(asked + 1)}`);
      await eventually(() => model.asked === 0, 'the answer should end', patienceMs);
      asked += 1;
    }
  }
  const entries = (): Promise<LedgerEntry[]> =>
    eventually(
      async () => {
        const all = await owner.ledgerEntries();
        expect(all).toHaveLength(asked);
        return all;
      },
      'each answer should be in the ledger',
      patienceMs,
    );
  /** Both see what the ledger adds up to, and so do the totals by day and model, and monitoring counts as many tokens. */
  async function expectSame(watching: readonly WatchingAdmin[] = admins): Promise<void> {
    const all = await entries();
    const costOf = (from: string) => sum(all.filter(({ at }) => at >= from).map(({ costMicros }) => costMicros ?? 0));
    const now = new Date().toISOString();
    const [month, today] = [costOf(now.slice(0, 7)), costOf(now.slice(0, 10))];
    expect(month % 10_000).not.toBe(0);
    await Promise.all(watching.map((admin) => admin.untilSees(month, today)));
    await eventually(
      async () => {
        const { total } = await owner.call('GET /api/monitoring/metrics', { query: { span: 'day', by: 'model' } });
        expect([total.figures.inputTokens, total.figures.outputTokens]).toEqual([
          sum(all.map(({ inputTokens }) => inputTokens)),
          sum(all.map(({ outputTokens }) => outputTokens)),
        ]);
      },
      'monitoring should have counted the same answers',
      patienceMs,
    );
    process.stdout.write(`both see ${month} micro-units of ${all.length} answers\n`);
  }

  test('both see the sum of the ledger', () => expectSame(), 200_000);

  test.each([0, 1])(
    'the BFF of one of them is killed while people ask: the other one sees all, and both do once it is back (%i)',
    async (at) => {
      await answer(2);
      const replace = await running.kill(running.of('bff')[at]!);
      await answer(2);
      const [cut, other] = [admins[at]!, admins[1 - at]!];
      await expectSame([other]);
      expect(cut.seen).not.toEqual(other.seen);
      await replace();
      await answer(2);
      await running.untilReady();
      await expectSame();
    },
    400_000,
  );

  test.each([0, 1])(
    'one monitoring is killed while people ask: both see all, before and after it is back (%i)',
    async (at) => {
      await answer(2);
      const replace = await running.kill(running.of('monitoring')[at]!);
      await answer(2);
      await expectSame();
      await replace();
      await answer(2);
      await running.untilReady();
      await expectSame();
    },
    400_000,
  );

  test('the broker is killed while people ask: both come to the same sum once it is back', async () => {
    await answer(2);
    await servers.kafka.kill();
    await answer(3);
    await servers.kafka.restart();
    await answer(2);
    await expectSame();
    expect(running.casualties).toEqual([]);
  }, 400_000);

  test('both monitorings and the broker are killed together: nothing is missing, nothing counts twice', async () => {
    await answer(1);
    await servers.kafka.kill();
    const replace = await Promise.all(running.of('monitoring').map((each) => running.kill(each)));
    await answer(2);
    await servers.kafka.restart();
    for (const startAnother of replace) await startAnother();
    await answer(1);
    await running.untilReady();
    await expectSame();
    expect(running.casualties).toEqual([]);
  }, 400_000);
}
