// From sending a message to its news in another browser of the same person.
import type { ConversationId } from '@parley/contracts';
import { io, type Socket } from 'socket.io-client';
import { join } from 'node:path';
import type { Bench } from './answers.ts';
import { atPace, percentile, startProcess, wait } from './product.ts';
import { BenchTab } from './streams.ts';

const people = 5;
/** So many that an answer has ended long before the next question of its conversation. */
const conversationsEach = 50;
const paces = { few: { count: 60, perSecond: 5 }, many: { count: 500, perSecond: 50 } } as const;
type Pace = (typeof paces)[keyof typeof paces];
const patienceMs = 5_000;

/** Who waits for what; news that nobody waits for are of no interest. */
class News {
  private readonly waiting = new Map<string, () => void>();

  came(key: string): void {
    this.waiting.get(key)?.();
    this.waiting.delete(key);
  }

  /** Null when it does not come or the sending is refused. */
  async after(key: string, send: () => Promise<unknown>): Promise<number | null> {
    const startedAt = performance.now();
    const heard = new Promise<number>((resolve) => this.waiting.set(key, () => resolve(performance.now() - startedAt)));
    const isSent = await send().then(
      () => true,
      () => false,
    );
    return isSent ? Promise.race([heard, wait(patienceMs).then(() => null)]) : null;
  }
}

const heardOf = (times: readonly (number | null)[]): number[] => times.filter((ms) => ms !== null);

type Place = { readonly tab: BenchTab; readonly conversationId: ConversationId };

/** Each message also has its answer of one token, as in the product: there is no other kind. */
export async function benchSecondBrowser({ product, floors: { modelUrl }, report }: Bench): Promise<void> {
  const [bareFew, bareMany] = [await bareRoom(paces.few), await bareRoom(paces.many)];
  const news = new News();
  const tabs = await Promise.all(Array.from({ length: people }, () => new BenchTab(product.url).open(modelUrl)));
  const others = await Promise.all(tabs.map(({ client }) => opened(client.copy().socket())));
  for (const other of others)
    other.on('conversation.changed', ({ conversationId, kind }) => {
      if (kind === 'message') news.came(conversationId);
    });
  const places: Place[] = (await Promise.all(tabs.map(async (tab) => conversationsOf(tab)))).flat();
  await wait(1_000);
  const hearAt = (pace: Pace) =>
    atPace(pace, (at) => {
      const { tab, conversationId } = places[at % places.length]!;
      return news.after(conversationId, () => tab.client.send(conversationId, 'tokens=1 rate=1000'));
    });
  report.add(
    'send to second browser, 5 a second, p50',
    percentile(heardOf(await hearAt(paces.few)), 0.5),
    percentile(bareFew, 0.5),
  );
  const many = await hearAt(paces.many);
  const times = heardOf(many);
  report.add('send to second browser, 50 a second, p50', percentile(times, 0.5), percentile(bareMany, 0.5));
  report.add('send to second browser, 50 a second, p99', percentile(times, 0.99), percentile(bareMany, 0.99));
  report.add('share heard by the second browser', times.length / many.length, 1);
  for (const socket of others) socket.close();
  for (const tab of tabs) tab.close();
}

async function conversationsOf(tab: BenchTab): Promise<Place[]> {
  const places: Place[] = [];
  for (let at = 0; at < conversationsEach; at += 1) {
    const conversationId = await tab.newConversation();
    tab.leave(conversationId);
    places.push({ tab, conversationId });
  }
  return places;
}

async function opened<Any extends Socket>(socket: Any): Promise<Any> {
  if (!socket.connected) await new Promise<void>((resolve) => socket.once('connect' as never, resolve as never));
  return socket;
}

/** The floor: an HTTP POST to one process that emits it to the second browser's socket, at the same pace. */
async function bareRoom(pace: Pace): Promise<number[]> {
  const room = await startProcess([join(import.meta.dirname, 'room.ts')]);
  const url = `http://localhost:${room.line}`;
  const news = new News();
  const socket = await opened(io(url, { transports: ['websocket'], forceNew: true }));
  socket.on('message', ({ id }: { id: string }) => news.came(id));
  const body = (id: string) => JSON.stringify({ id, text: 'tokens=1 rate=1000' });
  const heard = await atPace(pace, (at) =>
    news.after(String(at), () =>
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: body(String(at)) }).then(
        (response) => response.text(),
      ),
    ),
  );
  socket.close();
  await room.close();
  return heardOf(heard);
}
