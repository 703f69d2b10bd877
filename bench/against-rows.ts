// These rows are measured by `--against`.
import type { ConversationId } from '@parley/contracts';
import { ParleyClient, RefusedCall } from '@parley/testing/client';
import type { EmbeddedProduct } from './embedded.ts';
import type { Floors } from './floors.ts';
import { percentile, wait } from './product.ts';
import { BenchTab } from './streams.ts';

/** Measures the same thing again and again in one product, some seconds each time. */
export type Block = { readonly measure: () => Promise<number>; readonly end: () => void };
type Row = { readonly name: string; readonly begin: (product: EmbeddedProduct, floors: Floors) => Promise<Block> };
type Open = { readonly tab: BenchTab; readonly id: ConversationId };

const perTab = 10;

/** Gives an organisation a flow of its own, as all had before there were approvals. */
async function approve(product: EmbeddedProduct, { client: { orgId } }: BenchTab): Promise<void> {
  const client = admins.get(product) ?? new ParleyClient(product.url);
  if (!admins.has(product)) {
    admins.set(product, client);
    const setupToken = /[?&]setup=([^\s&]+)/.exec(product.line)![1]!;
    await client.register({ name: 'Admin', email: 'admin@example.com', password: 'three quiet herons', setupToken });
  }
  const given = { params: { orgId: orgId! }, body: { isApproved: true } };
  await client.call('PUT /api/org/all-organisations/:orgId/approval', given).catch((error: unknown) => {
    if (!(error instanceof RefusedCall && error.status === 404)) throw error;
  });
}
const admins = new Map<EmbeddedProduct, ParleyClient>();

async function anApprovedTab(product: EmbeddedProduct, { modelUrl }: Floors): Promise<BenchTab> {
  const tab = await new BenchTab(product.url).open(modelUrl);
  await approve(product, tab);
  return tab;
}

/** Opens `count` conversations, ten to a person, each of whom has an organisation. */
async function opened(product: EmbeddedProduct, floors: Floors, count: number) {
  const tabs: BenchTab[] = [];
  while (tabs.length < count / perTab) tabs.push(await anApprovedTab(product, floors));
  const all: Open[] = [];
  for (const tab of tabs) for (let at = 0; at < perTab; at += 1) all.push({ tab, id: await tab.newConversation() });
  return { all, end: () => tabs.forEach((tab) => tab.close()) };
}

const tokensPerSecond = (streams: number): Row => ({
  name: `tokens per core-second, ${streams} streams`,
  async begin(product, floors) {
    const { all, end } = await opened(product, floors, streams);
    const measure = async (): Promise<number> => {
      const before = product.cpuSeconds().parley;
      const answers = await Promise.all(all.map(({ tab, id }) => tab.ask(id, 'tokens=200 rate=80')));
      const tokens = answers.reduce((sum, answer) => sum + answer.tokens, 0);
      return tokens / (product.cpuSeconds().parley - before);
    };
    return { measure, end };
  },
});

/** In ms, the median of ten questions of one person, while models of others say a word each nine seconds. */
const firstTokenBesideSlow: Row = {
  name: 'first token in ms beside 100 streams of a word each 9 s',
  async begin(product, floors) {
    const others = await opened(product, floors, 100);
    const { ask, end } = await aColleague(product, floors);
    for (const { tab, id } of others.all) void tab.ask(id, 'tokens=2000 rate=0.11').catch(() => undefined);
    await wait(2_000);
    const measure = async (): Promise<number> => {
      const times: number[] = [];
      for (let at = 0; at < 10; at += 1) times.push(await ask());
      return percentile(times, 0.5);
    };
    return { measure, end: () => (others.end(), end()) };
  },
};

/** In ms, the median of what one person waits, while models of ten others say all they can. */
const firstTokenInFlood: Row = {
  name: 'first token in ms in a flood of 100 streams',
  async begin(product, floors) {
    const others = await opened(product, floors, 100);
    const { ask, end } = await aColleague(product, floors);
    const measure = async (): Promise<number> => {
      const times: number[] = [];
      let isOver = false;
      const flood = Promise.all(others.all.map(({ tab, id }) => tab.ask(id, 'tokens=1500 rate=1000')));
      const over = flood.finally(() => (isOver = true));
      await wait(500);
      while (!isOver) times.push(await ask());
      await over;
      return percentile(times, 0.5);
    };
    return { measure, end: () => (others.end(), end()) };
  },
};

async function aColleague(product: EmbeddedProduct, floors: Floors) {
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
  name: 'RSS in MB with 200 streams',
  async begin(product, floors) {
    const { all, end } = await opened(product, floors, 200);
    const measure = async (): Promise<number> => {
      let most = 0;
      const sampling = setInterval(() => (most = Math.max(most, product.rssMb())), 200);
      await Promise.all(all.map(({ tab, id }) => tab.ask(id, 'tokens=200 rate=80')));
      clearInterval(sampling);
      return most;
    };
    return { measure, end };
  },
};

export const rows: readonly Row[] = [
  tokensPerSecond(20),
  tokensPerSecond(100),
  tokensPerSecond(200),
  memory,
  firstTokenBesideSlow,
  firstTokenInFlood,
];
