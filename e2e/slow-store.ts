import { beforeAll, expect, test } from '@jest/globals';
import type { ConversationId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import type { Running } from '@parley/testing/distributed';
import { setTimeout as wait } from 'node:timers/promises';
import { answerTo } from './counting-model.ts';
import type { OutageScene } from './outage-scene.ts';
import { report } from './report.ts';

const slowByMs = 3_000;
const slowForMs = 60_000;
const awayForMs = 20_000;
const askedAtOnce = 8;
const endedWithinMs = 120_000;

/** What the socket of a tab went through: how often it was cut, and when it was told that words go on. */
type Watched = { readonly cuts: () => number; readonly goesOnAt: () => number | null; readonly close: () => void };
async function watch(person: ParleyClient): Promise<Watched> {
  const socket = person.socket();
  await new Promise<void>((resolve) => void socket.once('connect', resolve));
  let cuts = 0;
  let goesOnAt: number | null = null;
  socket.on('disconnect', () => (cuts += 1));
  socket.on('live.held', (isHeld: boolean) => (goesOnAt = isHeld ? null : Date.now()));
  return { cuts: () => cuts, goesOnAt: () => goesOnAt, close: () => void socket.close() };
}

type Asked = { readonly by: ParleyClient; readonly conversationId: ConversationId; readonly question: number };

/** How many answers a worker has handed back unfinished. */
async function interruptedBy(worker: Running): Promise<number> {
  const [, count] =
    /^parley_generation_interrupted_total\{.*\} (\d+)$/m.exec((await worker.probe('/metrics')).text) ?? [];
  expect(count).toBeDefined();
  return Number(count);
}

/** Slows the store down and takes it away, while answers are written. */
export function defineSlowStore(scene: OutageScene): void {
  let people: ParleyClient[];
  let questions = 0;
  beforeAll(async () => {
    people = await Promise.all(['Iris', 'Olaf', 'Nils', 'Lena'].map((name) => newOwner(name)));
  }, 180_000);

  async function newOwner(name: string): Promise<ParleyClient> {
    const person = await scene.newOwner(name);
    const models = { models: ['counting-1'], defaultModel: 'counting-1', isDefault: true };
    await person.call('POST /api/chat/providers', {
      body: { id: newId('provider'), name: 'Counting', baseUrl: scene.countingModel.url, ...models },
    });
    return person;
  }

  /** Until it is taken, with the same ids each time, as the page does. */
  async function ask(by: ParleyClient): Promise<Asked> {
    questions += 1;
    const asked = { by, conversationId: newId('conversation'), question: questions };
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    const send = () => by.send(asked.conversationId, `This is question ${asked.question}.`, ids);
    await eventually(send, `question ${asked.question} should be taken`, slowForMs + endedWithinMs);
    return asked;
  }
  const interrupted = () => Promise.all(scene.running.of('chat-worker').map(interruptedBy));
  const askAll = (): Promise<Asked>[] =>
    Array.from({ length: askedAtOnce }, (_unused, at) => ask(people[at % people.length]!));

  async function allWhole(all: readonly Asked[]): Promise<void> {
    for (const { by, conversationId, question } of all) {
      const answer = await eventually(
        async () => {
          const { items } = await by.messages(conversationId);
          expect(['queued', 'running']).not.toContain(items[1]?.generation?.status ?? 'running');
          return items[1]!;
        },
        `the answer to question ${question} should end`,
        endedWithinMs,
      );
      expect([question, answer.generation?.status, answer.text]).toEqual([question, 'done', answerTo(question)]);
    }
    expect(all.filter(({ question }) => scene.countingModel.calls.get(question) !== 1)).toEqual([]);
  }

  test.each([
    ['answers 3 s late for 60 s', () => scene.store.slow(slowByMs), slowForMs, false],
    ['is away for 20 s', () => scene.store.off(), awayForMs, true],
  ])(
    'a store that %s takes no text, begins no answer anew, and all answers end',
    async (what, happens, forMs, isAway) => {
      const interruptedBefore = await interrupted();
      const tabs = await Promise.all(people.map(watch));
      const before = await Promise.all(askAll());
      await eventually(
        () => before.every(({ question }) => scene.countingModel.calls.has(question)),
        'all should be written before it happens',
      );
      happens();
      const happenedAt = Date.now();
      const meanwhile = askAll();
      await wait(forMs);
      await scene.store.on();
      const overAt = Date.now();
      if (isAway) {
        await eventually(() => tabs.every(({ goesOnAt }) => goesOnAt() !== null), 'all tabs should go on');
        report(
          `the store ${what}: words go on in open tabs`,
          tabs.map(({ goesOnAt }) => goesOnAt()! - overAt),
        );
        expect(tabs.map(({ cuts }) => cuts())).toEqual(tabs.map(() => 0));
      }
      for (const tab of tabs) tab.close();
      await allWhole(before);
      report(`the store ${what} (${overAt - happenedAt}): answers of before are stored`, [Date.now() - overAt]);
      await allWhole(await Promise.all(meanwhile));
      report(`the store ${what}: questions of meanwhile are answered`, [Date.now() - overAt]);
      expect(await interrupted()).toEqual(interruptedBefore);
      expect(scene.running.casualties).toEqual([]);
    },
    900_000,
  );
}
