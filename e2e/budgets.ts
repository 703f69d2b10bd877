import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KnownBudget } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { Browser } from 'playwright-core';
import { ines, joinByLink, noor } from './accounts.ts';
import { newBrowserFor, openBrowser, type Person } from './browser.ts';
import type { Account, Edition, Product } from './edition.ts';
import { signIn } from './sign-in.ts';
import { startSlowModel, type SlowModel } from './slow-model.ts';

const admin: Account = { name: 'Tamsin Orel', email: 'tamsin@example.com', password: 'three quiet herons' };

/** A budget for three answers: the fourth is refused, raised it works, and all admins see the same figures. */
export function defineBudgets(edition: Edition): void {
  let product: Product;
  let model: SlowModel;
  let browser: Browser;
  let owner: ParleyClient;
  let other: ParleyClient;
  let asker: Person;
  beforeAll(async () => {
    model = await startSlowModel();
    product = await edition.start({ PARLEY_REGISTRATION: 'open', PARLEY_OUTBOUND_ALLOW: model.address });
    browser = await openBrowser();
    const operator = await newBrowserFor(browser);
    await product.letFirstAdminIn(operator.page, ines);
    await operator.page.getByLabel('Name of the organisation').fill('Lindmoor');
    await operator.page.getByRole('button', { name: 'Create organisation' }).click();
    await operator.page.getByRole('textbox', { name: 'Message' }).waitFor();
    owner = new ParleyClient(product.url);
    await owner.signIn(ines.email, ines.password);
    owner.orgId = (await owner.call('GET /api/org/organisations')).items[0]!.id;
    const [member, second] = [new ParleyClient(product.url), new ParleyClient(product.url)];
    await member.register(noor);
    await joinByLink(owner, member);
    await second.register(admin);
    await joinByLink(owner, second, 'billing');
    other = second;
    const slow = { name: 'Slow', baseUrl: model.url, models: ['slow-1'], defaultModel: 'slow-1', isDefault: true };
    await owner.call('POST /api/chat/providers', { body: { id: newId('provider'), ...slow } });
    const price = { inputMicros: 2_500_000, outputMicros: 10_000_000, cachedMicros: 2_500_000 };
    const always = { host: null, validFrom: null, validUntil: null, replaces: null };
    await owner.call('POST /api/billing/rates', {
      body: { id: newId('rate'), currency: 'EUR', model: 'slow-1', ...price, ...always },
    });
    asker = await newBrowserFor(browser);
    await asker.page.goto(`${product.url}/en`);
    await signIn(asker.page, noor);
    await asker.page.getByRole('textbox', { name: 'Message' }).waitFor();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
    model?.close();
  });

  const budget = async (): Promise<KnownBudget> =>
    (await owner.call('GET /api/billing/budgets')).items[0] as KnownBudget;
  const setLimit = async (hardLimit: number) => {
    const { id, version } = await budget();
    const body = { version, softLimit: null, hardLimit };
    await owner.call('PUT /api/billing/budgets/:budgetId', { params: { budgetId: id }, body });
  };
  const ask = async () => {
    await asker.page.goto(`${product.url}/en/chat`);
    await asker.page.getByRole('textbox', { name: 'Message' }).fill('How many herons?');
    await asker.page.keyboard.press('Enter');
  };
  const answer = async () => {
    await eventually(() => model.asked === 1, 'the model should be asked');
    model.say('Three herons.');
    model.end();
    await asker.page.getByRole('article').last().getByText('Three herons.').waitFor();
    await eventually(async () => expect((await budget()).held).toBe(0), 'nothing should stay held');
  };

  test('three answers are within the budget, the fourth is refused before the model is asked', async () => {
    const scope = { kind: 'organisation' as const };
    const most = { softLimit: null, hardLimit: 1_000_000_000 };
    await owner.call('POST /api/billing/budgets', {
      body: { id: newId('budget'), scope, period: 'month', unit: 'money', ...most },
    });
    // Chat hears of it by its event: from then on an answer holds what it can cost.
    let held = 0;
    await eventually(async () => {
      if (model.asked === 0) await ask();
      await eventually(() => model.asked === 1, 'the model should be asked');
      held = (await budget()).held;
      if (held === 0) await answer();
      expect(held).toBeGreaterThan(0);
    }, 'an answer should hold something');
    const before = (await budget()).spent;
    await answer();
    const each = (await budget()).spent - before;
    expect(each).toBeGreaterThan(0);
    // Ten micro-units a token: too little is left for the 256 tokens that an answer has at least.
    await setLimit(before + 3 * each + held - 10 * (4_096 - 256) - 1);
    for (const _answer of [2, 3]) {
      await ask();
      await answer();
    }
    await ask();
    await asker.page.getByText('Too little of the budget is left for this answer.').waitFor();
    await asker.page.getByText(/It can be raised by .*Ines Vardale/).waitFor();
    expect([model.asked, (await budget()).spent]).toEqual([0, before + 3 * each]);
    await asker.page.getByText('Kept, not sent').waitFor();
  });

  test('a refused question can be thrown away, and taken back', async () => {
    const { page } = asker;
    await page.getByRole('button', { name: 'Discard message' }).click();
    await page.getByText('Kept, not sent').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Kept, not sent').waitFor();
  });

  test('asked for with one click and raised, the same question is answered in the open tab', async () => {
    const { page } = asker;
    await page.evaluate('globalThis.isThatPage = true');
    await page.getByRole('button', { name: 'Ask for more' }).click();
    await eventually(async () => {
      const { requests } = await owner.call('GET /api/billing/budgets');
      expect(requests).toMatchObject([{ name: 'Noor Halvani' }]);
    }, 'whoever can raise it sees who asks');
    await setLimit(1_000_000_000);
    await page.getByText('There is budget again.').waitFor();
    await page.getByRole('button', { name: 'Send message again' }).click();
    await answer();
    expect(await page.evaluate('globalThis.isThatPage === true')).toBe(true);
  });

  test('two admins see the same figures as the ledger, to the micro-unit', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    await eventually(async () => {
      const { items } = await owner.call('GET /api/billing/ledger-entries', { query: { limit: 100 } });
      const cost = sum(items.map(({ costMicros }) => costMicros ?? 0));
      expect(cost).toBeGreaterThan(0);
      for (const client of [owner, other]) {
        const spend = await client.call('GET /api/billing/spend', { query: { month } });
        expect(sum(spend.days.map(({ costMicros }) => costMicros))).toBe(cost);
        expect(sum(spend.models.map(({ costMicros }) => costMicros))).toBe(cost);
      }
      expect((await budget()).spent).toBe(cost);
      const { total } = await owner.call('GET /api/monitoring/metrics', { query: { span: 'day', by: 'model' } });
      expect(total.figures.inputTokens).toBe(sum(items.map(({ inputTokens }) => inputTokens)));
      expect(total.figures.outputTokens).toBe(sum(items.map(({ outputTokens }) => outputTokens)));
    }, 'all figures should agree');
  });
}
