// These rows are measured by `--against`.
import type { ConversationId } from '@parley/contracts';
import { projectRows } from './against-projects.ts';
import { questionRows } from './against-questions.ts';
import { readRows } from './against-reads.ts';
import { anApprovedTab } from './against-tabs.ts';
import type { Figures, Product, Row } from './against-product.ts';
import type { Floors } from './floors.ts';
import { percentile, wait } from './product.ts';
import type { BenchTab } from './streams.ts';

type Open = { readonly tab: BenchTab; readonly id: ConversationId };

const perTab = 10;

/** Opens `count` conversations, ten to a person, each of whom has an organisation. */
async function opened(product: Product, floors: Floors, count: number) {
  const tabs: BenchTab[] = [];
  while (tabs.length < count / perTab) tabs.push(await anApprovedTab(product, floors));
  const all: Open[] = [];
  for (const tab of tabs) for (let at = 0; at < perTab; at += 1) all.push({ tab, id: await tab.newConversation() });
  return { all, end: () => tabs.forEach((tab) => tab.close()) };
}

const tokensPerSecond = (streams: number): Row => ({
  name: `${streams} streams`,
  how: 'measured',
  async begin(product, floors) {
    const { all, end } = await opened(product, floors, streams);
    const measure = async (): Promise<Figures> => {
      const before = product.cpuSeconds().parley;
      const answers = await Promise.all(all.map(({ tab, id }) => tab.ask(id, 'tokens=200 rate=80')));
      const tokens = answers.reduce((sum, answer) => sum + answer.tokens, 0);
      return { 'tokens per core-second': tokens / (product.cpuSeconds().parley - before) };
    };
    return { measure, end };
  },
});

/** In ms, the median of ten questions of one person, while models of others say a word each nine seconds. */
const firstTokenBesideSlow: Row = {
  name: 'beside 100 streams of a word each 9 s',
  how: 'measured',
  async begin(product, floors) {
    const others = await opened(product, floors, 100);
    const { ask, end } = await aColleague(product, floors);
    for (const { tab, id } of others.all) void tab.ask(id, 'tokens=2000 rate=0.11').catch(() => undefined);
    await wait(2_000);
    const measure = async (): Promise<Figures> => {
      const times: number[] = [];
      for (let at = 0; at < 10; at += 1) times.push(await ask());
      return { 'first token, ms': percentile(times, 0.5) };
    };
    const endAll = async (): Promise<void> => {
      for (const { tab } of others.all.filter((_each, at) => at % perTab === 0)) await tab.stopAnswers();
      others.end();
      end();
    };
    return { measure, end: endAll };
  },
};

/** In ms, the median of what one person waits, while models of ten others say all they can. */
const firstTokenInFlood: Row = {
  name: 'in a flood of 100 streams',
  how: 'measured',
  async begin(product, floors) {
    const others = await opened(product, floors, 100);
    const { ask, end } = await aColleague(product, floors);
    const measure = async (): Promise<Figures> => {
      const times: number[] = [];
      let isOver = false;
      const flood = Promise.all(others.all.map(({ tab, id }) => tab.ask(id, 'tokens=1500 rate=1000')));
      const over = flood.finally(() => (isOver = true));
      await wait(500);
      while (!isOver) times.push(await ask());
      await over;
      return { 'first token, ms': percentile(times, 0.5) };
    };
    return { measure, end: () => (others.end(), end()) };
  },
};

async function aColleague(product: Product, floors: Floors) {
  const colleague = await anApprovedTab(product, floors);
  const id = await colleague.newConversation();
  const ask = async (): Promise<number> => {
    const { firstTokenMs } = await colleague.ask(id, 'tokens=2 rate=100');
    await wait(50);
    return firstTokenMs;
  };
  return { ask, end: () => colleague.close() };
}

const memory: Row = {
  name: 'memory with 200 streams',
  how: 'measured',
  async begin(product, floors) {
    const { all, end } = await opened(product, floors, 200);
    const measure = async (): Promise<Figures> => {
      let most = 0;
      const sampling = setInterval(() => (most = Math.max(most, product.rssMb())), 200);
      await Promise.all(all.map(({ tab, id }) => tab.ask(id, 'tokens=200 rate=80')));
      clearInterval(sampling);
      return { 'RSS, MB': most };
    };
    return { measure, end };
  },
};

export const rows: readonly Row[] = [
  ...questionRows,
  ...readRows,
  ...projectRows,
  tokensPerSecond(20),
  tokensPerSecond(100),
  tokensPerSecond(200),
  memory,
  firstTokenBesideSlow,
  firstTokenInFlood,
];
