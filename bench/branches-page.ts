// Measures the longest main-thread task of the page while a reader scrolls up a long chat and an answer streams at its end.
import type { ConversationId } from '@parley/contracts';
import type { ParleyClient } from '@parley/testing/client';
import type { Page } from 'playwright-core';
import { newBrowserFor, openBrowser } from '../e2e/browser.ts';
import { signIn } from '../e2e/sign-in.ts';

/** Streams for 15 s, longer than the reader scrolls. */
const question = 'tokens=1200 rate=80';
/** At the end of the chat, before the reader begins to scroll. */
const followedMs = 3_000;
const scrolledMs = 10_000;
const wheel = { px: 1_500, everyMs: 50 } as const;
/** Chromium tells of tasks from 50 ms on; 0 where none was that long. */
const watchTasks = `
  globalThis.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
  }).observe({ type: 'longtask' });
`;

export type Reader = {
  readonly url: string;
  readonly client: ParleyClient;
  readonly password: string;
  readonly conversationId: ConversationId;
};
export type Seen = {
  /** In ms. */
  readonly longestTask: number;
  /** Of the messages that the page held at once. */
  readonly mostMessages: number;
};

export async function readUp({ url, client, password, conversationId }: Reader): Promise<Seen> {
  const browser = await openBrowser();
  try {
    const { page } = await newBrowserFor(browser);
    await page.goto(`${url}/en`);
    await signIn(page, { name: client.me!.name, email: client.me!.email, password });
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.goto(`${url}/en/chat/${conversationId}`);
    await page.getByRole('article').last().waitFor();
    await page.waitForTimeout(1_000);
    await page.evaluate(watchTasks);
    await client.send(conversationId, question);
    await page.getByText(question).last().waitFor();
    await page.waitForTimeout(followedMs);
    const mostMessages = await scrollUp(page);
    return { longestTask: await page.evaluate<number>('globalThis.longest'), mostMessages };
  } finally {
    await browser.close();
  }
}

/** Resolves with the most messages that were in the page meanwhile. */
async function scrollUp(page: Page): Promise<number> {
  const box = (await page.getByRole('log').boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, 400);
  let most = 0;
  const endsAt = performance.now() + scrolledMs;
  while (performance.now() < endsAt) {
    await page.mouse.wheel(0, -wheel.px);
    await page.waitForTimeout(wheel.everyMs);
    most = Math.max(most, await page.getByRole('article').count());
  }
  return most;
}
