// These rows of `--against` say what reads cost, and what the product costs while nothing happens.
import type { Figures, Row } from './against-product.ts';
import { anApprovedTab } from './against-tabs.ts';
import { percentile, wait } from './product.ts';

const chats = 25;
const rounds = 40;
const searchedMessages = 400;
const restSeconds = 20;

const idle: Row = {
  name: 'idle',
  how: 'measured',
  async begin(product) {
    // The product has finished what earlier rows asked for.
    await wait(35_000);
    const measure = async (): Promise<Figures> => {
      const { commands, cpuMs } = await product.atRest(restSeconds);
      return { 'store commands a second': commands / restSeconds, 'CPU of a core, %': cpuMs / restSeconds / 10 };
    };
    return { measure, end: () => undefined };
  },
};

const list: Row = {
  name: 'list of chats',
  how: 'counted',
  async begin(product, floors) {
    const tab = await anApprovedTab(product, floors);
    for (let at = 0; at < chats; at += 1) tab.leave(await tab.newConversation());
    const measure = async (): Promise<Figures> => {
      await tab.client.conversations();
      const used = await product.beyondRest(async () => {
        for (let at = 0; at < rounds; at += 1) await tab.client.conversations();
      });
      return { 'store commands': used.commands / rounds };
    };
    return { measure, end: () => tab.close() };
  },
};

async function timeOf(read: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now();
  await read();
  return performance.now() - begunAt;
}

/** Times reads of the path of a chat, in turn with its message list, which earlier versions of the page read. */
const path = (messages: number): Row => ({
  name: `chat of ${messages} messages`,
  how: 'measured',
  async begin(product, floors) {
    const tab = await anApprovedTab(product, floors);
    const id = await tab.newConversation();
    for (let at = 2; at < messages; at += 2) await tab.ask(id, 'tokens=1 rate=1000');
    const { client } = tab;
    const measure = async (): Promise<Figures> => {
      const [paths, lists]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        paths.push(await timeOf(() => client.path(id, { limit: 50 })));
        lists.push(await timeOf(() => client.messages(id, { limit: 50 })));
      }
      const [ofPath, ofMessages] = [percentile(paths, 0.5), percentile(lists, 0.5)];
      return { 'path, ms': ofPath, 'path / messages': ofPath / ofMessages };
    };
    return { measure, end: () => tab.close() };
  },
});

/**
 * Times searches for a word with two operators beside it, in turn with the word alone. Versions without
 * operators look for them as words and find nothing, so their ratio says nothing.
 */
const search: Row = {
  name: 'search with two operators beside one word',
  how: 'measured',
  async begin(product, floors) {
    const tab = await anApprovedTab(product, floors);
    const id = await tab.newConversation();
    for (let at = 2; at < searchedMessages; at += 2) await tab.ask(id, 'heron tokens=1 rate=1000');
    const find = (q: string) => timeOf(() => tab.client.call('GET /api/chat/search', { query: { q, limit: 20 } }));
    const measure = async (): Promise<Figures> => {
      const [operators, words]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        operators.push(await find('heron from:me after:2026-01-01'));
        words.push(await find('heron'));
      }
      const [withOperators, ofWord] = [percentile(operators, 0.5), percentile(words, 0.5)];
      return { 'search, ms': withOperators, 'operators / word': withOperators / ofWord };
    };
    return { measure, end: () => tab.close() };
  },
};

export const readRows: readonly Row[] = [idle, list, path(50), path(2_000), search];
