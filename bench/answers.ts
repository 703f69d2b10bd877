// How answers come: the first token, and the relay of many streams.
import type { Floors } from './floors.ts';
import { cpuSecondsOf, percentile, wait, type CpuSeconds, type Product, type Server } from './product.ts';
import type { Report } from './report.ts';
import { askDirectly, BenchTab } from './streams.ts';

export type Bench = { readonly product: Product; readonly floors: Floors; readonly report: Report };
type Ways = { direct: number[]; piped: number[]; through: number[] };

/** What a pipe adds to the first token, never less than a hundredth of a millisecond. */
const addedBy = (through: readonly number[], direct: readonly number[]): number =>
  Math.max(0.01, percentile(through, 0.5) - percentile(direct, 0.5));

/** One question after the other, with a person's pause of 100 ms between them. */
export async function benchFirstToken({ product, floors: { modelUrl, pipeUrl }, report }: Bench): Promise<void> {
  const tab = await new BenchTab(product.url).open(modelUrl);
  const conversation = await tab.newConversation();
  const ways: Ways = { direct: [], piped: [], through: [] };
  for (let at = 0; at < 220; at += 1) {
    const { firstTokenMs: direct } = await askDirectly(modelUrl, 'tokens=2 rate=100');
    const { firstTokenMs: piped } = await askDirectly(pipeUrl, 'tokens=2 rate=100');
    const { firstTokenMs: through } = await tab.ask(conversation, 'tokens=2 rate=100');
    await wait(100);
    if (at < 20) continue;
    ways.direct.push(direct);
    ways.piped.push(piped);
    ways.through.push(through);
  }
  addFirstToken(report, '1 stream', ways);
  tab.close();
}

function addFirstToken(report: Report, load: '1 stream' | '20 at once', { direct, piped, through }: Ways): void {
  const floor = addedBy(piped, direct);
  report.say(
    `first token, ${load}: direct ${percentile(direct, 0.5).toFixed(2)}, by a pipe ${percentile(piped, 0.5).toFixed(2)} ms`,
  );
  report.add(`first token added, ${load}, p50`, percentile(through, 0.5) - percentile(direct, 0.5), floor);
  report.add(`first token added, ${load}, p99`, percentile(through, 0.99) - percentile(direct, 0.5), floor);
}

export async function benchTwentyAtOnce({ product, floors: { modelUrl, pipeUrl }, report }: Bench): Promise<void> {
  const tab = await new BenchTab(product.url).open(modelUrl);
  const conversations = await Promise.all(Array.from({ length: 15 }, () => tab.newConversation()));
  const second = await new BenchTab(product.url).open(modelUrl);
  const others = await Promise.all(Array.from({ length: 5 }, () => second.newConversation()));
  const ways: Ways = { direct: [], piped: [], through: [] };
  const twenty = async (url: string) =>
    (await Promise.all(Array.from({ length: 20 }, () => askDirectly(url, 'tokens=2 rate=100')))).map(
      ({ firstTokenMs }) => firstTokenMs,
    );
  for (let round = 0; round < 12; round += 1) {
    const [direct, piped] = [await twenty(modelUrl), await twenty(pipeUrl)];
    const asked = await Promise.all([
      ...conversations.map((id) => tab.ask(id, 'tokens=2 rate=100')),
      ...others.map((id) => second.ask(id, 'tokens=2 rate=100')),
    ]);
    await wait(200);
    if (round < 2) continue;
    ways.direct.push(...direct);
    ways.piped.push(...piped);
    ways.through.push(...asked.map(({ firstTokenMs }) => firstTokenMs));
  }
  addFirstToken(report, '20 at once', ways);
  tab.close();
  second.close();
}

export async function benchRelay(
  { product, floors: { modelUrl, pipeUrl, pipe }, report }: Bench,
  streams: 20 | 100,
): Promise<void> {
  const perTab = 10;
  const tabs = await Promise.all(
    Array.from({ length: streams / perTab }, () => new BenchTab(product.url).open(modelUrl)),
  );
  const conversations = await Promise.all(
    tabs.flatMap((tab) => Array.from({ length: perTab }, async () => ({ tab, id: await tab.newConversation() }))),
  );
  await wait(1_000);
  const tokens = 500;
  const question = `tokens=${tokens} rate=80`;
  const pipeBefore = cpuSecondsOf(pipe.pid);
  const direct = (await Promise.all(Array.from({ length: streams }, () => askDirectly(pipeUrl, question)))).flatMap(
    (answer) => answer.ages,
  );
  const floor = (streams * tokens) / (cpuSecondsOf(pipe.pid) - pipeBefore);
  const bytesBefore = tabs.reduce((sum, tab) => sum + tab.bytes, 0);
  const cpuBefore = product.cpuSeconds();
  let rss = 0;
  const sampling = setInterval(() => (rss = Math.max(rss, product.rssMb())), 200);
  const answers = await Promise.all(conversations.map(({ tab, id }) => tab.ask(id, question)));
  clearInterval(sampling);
  const cpu = since(cpuBefore, product.cpuSeconds());
  const delivered = answers.reduce((sum, answer) => sum + answer.tokens, 0);
  const ages = answers.flatMap((answer) => answer.ages);
  report.add(`tokens per core-second, ${streams} streams`, delivered / cpu.parley, floor);
  report.add(`age on arrival, ${streams} streams, p50`, percentile(ages, 0.5), percentile(direct, 0.5));
  report.add(`age on arrival, ${streams} streams, p99`, percentile(ages, 0.99), percentile(direct, 0.99));
  if (streams === 100) {
    report.add('share delivered, 100 streams', delivered / (streams * tokens), 1);
    report.add('RSS at 100 streams', rss);
    report.add(
      'bytes to the page per 500-token answer',
      (tabs.reduce((sum, tab) => sum + tab.bytes, 0) - bytesBefore) / streams / 1_000,
    );
    for (const [server, seconds] of Object.entries(cpu.servers))
      report.add(`CPU of ${server as Server} beside, 100 streams`, seconds);
  }
  for (const tab of tabs) tab.close();
}

function since(before: CpuSeconds, after: CpuSeconds): CpuSeconds {
  const servers = Object.fromEntries(
    Object.entries(after.servers).map(([server, seconds]) => [
      server,
      seconds - (before.servers[server as Server] ?? 0),
    ]),
  );
  return { parley: after.parley - before.parley, servers };
}
