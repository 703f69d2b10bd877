import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeSkipped, eventually } from '@parley/testing';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { newBrowserFor, noBrowser, openBrowser, type Person } from './browser.ts';

const frontend = join(import.meta.dirname, '../frontend');
const address = 'http://near.example';
/** As the page draws them, and as far as `near.tsx` looks beyond what is visible. */
const [count, heightPx, visiblePx, marginPx] = [400, 40, 600, 1_200];

if (noBrowser) describeSkipped('a long list', noBrowser);
else describe('a long list', defineSuite);

function defineSuite(): void {
  let browser: Browser;
  let folder: string;
  let person: Person;

  beforeAll(async () => {
    [browser, folder] = await Promise.all([openBrowser(), buildPage()]);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(query = ''): Promise<Page> {
    person = await newBrowserFor(browser);
    const { page } = person;
    await page.route(`${address}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({ path: join(folder, pathname === '/' ? 'index.html' : pathname) });
    });
    await page.goto(`${address}/${query}`);
    await untilNear(page, 0);
    return page;
  }
  async function leave(): Promise<void> {
    expect(person.complaints).toEqual([]);
    await person.context.close();
  }

  test('draws all that is near once a reader who scrolled fast stays, and drops the rest', async () => {
    const page = await open();
    for (let first = 0; first <= 360; first += 30) await scrollTo(page, first);
    await scrollTo(page, 170);
    await untilNear(page, 170);
    await leave();
  });

  test('keeps what has the focus, however far it is, until the focus is elsewhere', async () => {
    const page = await open();
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await page.getByRole('button', { name: 'Act 3', exact: true }).focus();
    await scrollTo(page, 300);
    await untilNear(page, 300, [3]);
    expect(await focused()).toBe('Act 3');
    // The next key goes on from there, to the next entry that is drawn.
    await page.keyboard.press('Tab');
    await eventually(async () => expect(await focused()).not.toBe('Act 3'), 'the focus should move');
    const next = Number((await focused()).replace('Act ', ''));
    for (const first of [0, 200]) {
      await scrollTo(page, first);
      await untilNear(page, first, [next]);
    }
    await leave();
  });

  test('draws more than fifty entries in a row, however slow the device: none of them is urgent', async () => {
    const page = await open('?next=at-once');
    await scrollTo(page, 200);
    await untilNear(page, 200);
    await leave();
  });
}

/** Builds the page into a folder of its own, with React as people get it. */
async function buildPage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-near-'));
  const vite = createRequire(join(frontend, 'package.json')).resolve('vite/package.json');
  const args = ['build', join(frontend, 'src/testing/near'), '--outDir', folder, '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, [join(dirname(vite), 'bin/vite.js'), ...args]);
  return folder;
}

const scrollTo = (page: Page, first: number) =>
  page.evaluate(`document.getElementById('scroller').scrollTop = ${first * heightPx}`);

/** Waits until exactly those entries are drawn that are near of the one at the top, and these. */
async function untilNear(page: Page, first: number, kept: readonly number[] = []): Promise<void> {
  const drawn = async () =>
    page.evaluate<number[]>(
      "[...document.querySelectorAll('[data-entry]')].filter((e) => e.querySelector('button')).map((e) => Number(e.dataset.entry))",
    );
  const top = first * heightPx;
  const isNear = (at: number) => (at + 1) * heightPx >= top - marginPx && at * heightPx <= top + visiblePx + marginPx;
  const near = Array.from({ length: count }, (_, at) => at).filter((at) => isNear(at) || kept.includes(at));
  await eventually(async () => expect(await drawn()).toEqual(near), `what is near of ${first} should be drawn`);
}
