import { expect } from '@jest/globals';
import type { MonitoringNow } from '@parley/contracts';
import { eventually } from '@parley/testing';
import type { Browser, Page } from 'playwright-core';
import { newBrowserFor } from './browser.ts';
import type { Account } from './edition.ts';
import { signIn } from './sign-in.ts';

type Spend = { readonly days: readonly { readonly costMicros: number }[] };
/** For what comes by itself after a process or the broker was away. */
const patienceMs = 90_000;
const euro = (micros: number): string =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency: 'EUR',
    ...(micros > 0 && micros < 1e5 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 }),
  }).format(micros / 1e6);

/** Somebody who looks at the spend in two open tabs of one browser, and never reloads. */
export class WatchingAdmin {
  /** What the server said last; on the page it is rounded. */
  readonly seen: { month: number | null; today: number | null } = { month: null, today: null };

  private constructor(
    readonly name: string,
    private readonly billing: Page,
    private readonly monitoring: Page,
  ) {}

  static async open(browser: Browser, url: string, account: Account): Promise<WatchingAdmin> {
    const { context, page } = await newBrowserFor(browser);
    const admin = new WatchingAdmin(account.name, page, await context.newPage());
    await page.goto(`${url}/en`);
    await signIn(page, account);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    admin.listen();
    await page.goto(`${url}/en/settings/billing`);
    await admin.monitoring.goto(`${url}/en/settings/org-monitoring`);
    for (const each of [admin.billing, admin.monitoring]) await each.evaluate('globalThis.isThatPage = true');
    return admin;
  }

  /** Both tabs come to exactly these micro-units, and show them, without having been loaded anew. */
  untilSees(month: number, today: number): Promise<void> {
    return eventually(
      async () => {
        expect(this.seen).toEqual({ month, today });
        expect(await this.billing.locator('main').getByText(euro(month), { exact: true }).count()).toBeGreaterThan(0);
        expect(await this.monitoring.getByTitle('Since midnight UTC').innerText()).toContain(euro(today));
        for (const page of [this.billing, this.monitoring])
          expect(await page.evaluate('globalThis.isThatPage === true')).toBe(true);
      },
      `${this.name} should see ${month} and ${today}`,
      patienceMs,
    );
  }

  private listen(): void {
    this.billing.on('response', async (response) => {
      if (!response.url().includes('/api/billing/spend?') || !response.ok()) return;
      const { days } = (await response.json().catch(() => ({ days: [] }))) as Spend;
      this.seen.month = days.reduce((sum, { costMicros }) => sum + costMicros, 0);
    });
    this.monitoring.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        const [, told] = /^42(\["monitoring\.now".*)$/s.exec(payload.toString()) ?? [];
        if (told === undefined) return;
        const [, now] = JSON.parse(told) as [string, MonitoringNow];
        this.seen.today = now.spendToday?.costMicros ?? null;
      }),
    );
  }
}
