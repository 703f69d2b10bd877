import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { ConversationId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { describeSkipped, describeOn, eventually, late } from '@parley/testing';
import type { ParleyClient, ReadingTab } from '@parley/testing/client';
import { processNames, type Infrastructure, type Running } from '@parley/testing/distributed';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { newBrowserFor, noBrowser, openBrowser } from './browser.ts';
import { OutageScene, password } from './outage-scene.ts';
import { report } from './report.ts';
import { signIn } from './sign-in.ts';
import { gaugeOf, startServers } from './two-of-each.ts';

const stoppedForMs = 30_000;
const idleForMs = 120_000;
const mostIdleLines = 14;
/** Enough questions to reach both copies of a service by turns. */
const askedAtOnce = 6;
const patienceMs = 120_000;
/** As pino numbers levels. */
const isError = (line: string): boolean => /"level":[56]0\b/.test(line);

describeOn('processes that stand still', await startServers(), defineStoppedProcesses);

/** Lets processes stand still for half a minute, and counts what idle ones write. */
function defineStoppedProcesses(servers: Infrastructure): void {
  const scene = new OutageScene(servers);
  let browser: Browser | null = null;
  beforeAll(async () => {
    await scene.start();
    browser = noBrowser ? null : await openBrowser();
  }, 600_000);
  afterEach(() => expect(scene.running.casualties).toEqual([]));
  afterAll(async () => {
    await browser?.close();
    await scene.close();
  });

  /** They stand still while it runs, and so long at least. */
  async function whileStopped(processes: readonly Running[], act: () => Promise<void>): Promise<void> {
    for (const each of processes) each.signal('SIGSTOP');
    const over = wait(stoppedForMs);
    try {
      await act();
      await over;
    } finally {
      for (const each of processes) each.signal('SIGCONT');
    }
  }
  const answersOf = async (person: ParleyClient, conversationId: ConversationId) =>
    (await person.messages(conversationId)).items.map(({ text, generation }) => [text, generation?.status]);

  test('seven idle processes write no error in two minutes, and few lines', async () => {
    await scene.allReady();
    for (const name of ['auth', 'org', 'chat-api', 'billing'] as const)
      await eventually(
        async () => expect(await scene.running.gauge(name, 'parley_outbox_pending')).toBe(0),
        `${name} should have published all`,
        patienceMs,
      );
    const seven = processNames.map((name) => scene.running.of(name)[0]!);
    const linesOf = () => seven.map(({ log }) => log().split('\n').filter(Boolean));
    const before = linesOf();
    await wait(idleForMs);
    const written = linesOf().flatMap((lines, at) => lines.slice(before[at]!.length));
    report('idle: lines of seven processes in two minutes', [written.length]);
    // On a busy machine they also say what was slow, so the count alone is no verdict: errors are.
    late('idle processes in two minutes', { took: written.length, most: mostIdleLines, unit: 'lines' });
    expect(written.filter(isError)).toEqual([]);
  }, 600_000);

  if (noBrowser) describeSkipped('a BFF that stands still', noBrowser);
  else
    test('a BFF stands still for 30 s: pages on it go to the other one and read along, and no tab needs a reload', async () => {
      const conversationId = await scene.askSlowly();
      const bffs = scene.running.of('bff');
      const before = await Promise.all(bffs.map((bff) => gaugeOf(bff, 'parley_socket_open')));
      const { context, page } = await newBrowserFor(browser!);
      await page.goto(`${scene.running.url}/en`);
      await signIn(page, { name: 'Ines', email: 'ines@example.com', password });
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      await page.goto(`${scene.running.url}/en/chat/${conversationId}`);
      const answer = page.getByRole('article').last();
      await answer.getByText(/^one/).waitFor();
      const chip = page.locator('output[data-kind]').first();
      await chip.getByText('Live').waitFor();
      const victim = await eventually(async () => {
        const now = await Promise.all(bffs.map((bff) => gaugeOf(bff, 'parley_socket_open')));
        return bffs.find((_bff, at) => now[at]! > before[at]!)!;
      }, 'the page should have a socket');
      const tabs: ReadingTab[] = [];
      for (const bff of bffs) tabs.push(await scene.openTab(bff, scene.ines, conversationId));
      await eventually(() => tabs.every((tab) => tab.answer.text === 'one '), 'the first word should come');
      await whileStopped([victim], async () => {
        const stoppedAt = Date.now();
        scene.model.say('two ');
        await answer.getByText('one two').waitFor();
        report('a BFF stands still: next word in a page that was on it', [Date.now() - stoppedAt]);
      });
      scene.model.say('three four.');
      scene.model.end();
      await answer.getByText('one two three four.').waitFor();
      await chip.getByText('Live').waitFor();
      for (const { answer: heard } of tabs)
        await eventually(
          () => expect([heard.text, heard.end]).toEqual(['one two three four.', 'done']),
          'each tab should hold the whole text',
          patienceMs,
        );
      for (const tab of tabs) tab.close();
      await context.close();
      await scene.allReady();
    }, 600_000);

  test('a chat-api stands still for 30 s with questions on their way: each is answered once', async () => {
    const asked = Array.from({ length: askedAtOnce }, () => newId('conversation'));
    let taken: Promise<unknown> = Promise.resolve();
    await whileStopped([scene.running.of('chat-api')[0]!], async () => {
      taken = Promise.all(
        asked.map((conversationId) => {
          const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
          const send = () => scene.omar.send(conversationId, 'What can you do?', ids);
          return eventually(send, 'a question should be taken', patienceMs);
        }),
      );
    });
    await taken;
    for (const conversationId of asked)
      await eventually(
        async () =>
          expect(await answersOf(scene.omar, conversationId)).toEqual([
            ['What can you do?', undefined],
            [expect.stringMatching(/^\S.{20}/), 'done'],
          ]),
        'each question should have its one answer',
        patienceMs,
      );
    await scene.allReady();
  }, 600_000);

  test('billing is away for 30 s: a question under a hard budget waits, and is answered when it is back', async () => {
    const bea = await scene.newOwner('Bea');
    await bea.call('POST /api/chat/providers', {
      body: {
        id: newId('provider'),
        name: 'Slow',
        baseUrl: scene.model.url,
        models: ['slow-1'],
        defaultModel: 'slow-1',
        isDefault: true,
      },
    });
    await bea.call('POST /api/billing/budgets', {
      body: {
        id: newId('budget'),
        scope: { kind: 'organisation' },
        period: 'month',
        unit: 'tokens',
        softLimit: null,
        hardLimit: 1_000_000,
      },
    });
    const ask = async (): Promise<ConversationId> => {
      const conversationId = newId('conversation');
      const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
      await eventually(
        () => bea.send(conversationId, 'Count to four', ids),
        'the question should be taken',
        patienceMs,
      );
      return conversationId;
    };
    const asked = () => eventually(() => scene.model.asked === 1, 'the model should be asked', patienceMs);
    const ended = () => eventually(() => scene.model.asked === 0, 'the answer should end', patienceMs);
    // Chat hears of the budget by its event: from then on an answer holds what it can cost.
    await eventually(
      async () => {
        await ask();
        await asked();
        const { items } = await bea.call('GET /api/billing/budgets');
        scene.model.answerAll('One.');
        await ended();
        expect(items[0]).toMatchObject({ held: expect.any(Number) as unknown });
        expect((items[0] as { held: number }).held).toBeGreaterThan(0);
      },
      'an answer should be held',
      patienceMs,
    );
    // Whichever worker writes the next one knows of the budget, too.
    await wait(2_000);
    let conversationId: ConversationId | null = null;
    await whileStopped(scene.running.of('billing'), async () => {
      conversationId = await ask();
    });
    const backAt = Date.now();
    expect(scene.model.asked).toBe(0);
    await asked();
    report('billing back: the model is asked', [Date.now() - backAt]);
    scene.model.answerAll('One two three four.');
    await eventually(
      async () =>
        expect(await answersOf(bea, conversationId!)).toEqual([
          ['Count to four', undefined],
          ['One two three four.', 'done'],
        ]),
      'the question should be answered',
      patienceMs,
    );
    await scene.allReady();
  }, 600_000);
}
