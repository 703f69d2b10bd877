// `npm run bench`: what the design promises, each figure beside its floor of the same run, its budget and the peers' figures.
import { runTurbo } from '@parley/tooling/run-turbo.mjs';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { rowOf, type Measured } from './budgets.ts';
import { benchStore } from './store.ts';
import { cpuSeconds, percentile, removeFolder, rssMb, startProcess, startProduct, type Product, type Started } from './product.ts';
import { askDirectly, BenchTab } from './streams.ts';

const measured: Measured[] = [];
const add = (metric: Measured['metric'], value: number, floor: number | null = null): void => {
  measured.push({ metric, value, floor });
  process.stderr.write(`${metric}: ${value.toFixed(2)}\n`);
};
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Where the same question is answered without Parley: the model server itself, and a bare pipe to it. */
type Floors = { readonly modelUrl: string; readonly pipeUrl: string; readonly pipe: Started };

/** What a pipe adds to the first token, never less than a hundredth of a millisecond. */
const addedBy = (through: readonly number[], direct: readonly number[]): number => Math.max(0.01, percentile(through, 0.5) - percentile(direct, 0.5));

/** One question after the other, with a person's pause of 100 ms between them. */
async function benchFirstToken(product: Product, { modelUrl, pipeUrl }: Floors): Promise<void> {
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
  addFirstToken('1 stream', ways);
  tab.close();
}

type Ways = { direct: number[]; piped: number[]; through: number[] };
function addFirstToken(load: '1 stream' | '20 at once', { direct, piped, through }: Ways): void {
  const floor = addedBy(piped, direct);
  process.stderr.write(`first token, ${load}: direct ${percentile(direct, 0.5).toFixed(2)}, by a pipe ${percentile(piped, 0.5).toFixed(2)} ms\n`);
  add(`first token added, ${load}, p50`, percentile(through, 0.5) - percentile(direct, 0.5), floor);
  add(`first token added, ${load}, p99`, percentile(through, 0.99) - percentile(direct, 0.5), floor);
}

async function benchTwentyAtOnce(product: Product, { modelUrl, pipeUrl }: Floors): Promise<void> {
  const tab = await new BenchTab(product.url).open(modelUrl);
  const conversations = await Promise.all(Array.from({ length: 15 }, () => tab.newConversation()));
  const second = await new BenchTab(product.url).open(modelUrl);
  const others = await Promise.all(Array.from({ length: 5 }, () => second.newConversation()));
  const ways: Ways = { direct: [], piped: [], through: [] };
  const twenty = async (url: string) => (await Promise.all(Array.from({ length: 20 }, () => askDirectly(url, 'tokens=2 rate=100')))).map(({ firstTokenMs }) => firstTokenMs);
  for (let round = 0; round < 12; round += 1) {
    const [direct, piped] = [await twenty(modelUrl), await twenty(pipeUrl)];
    const asked = await Promise.all([...conversations.map((id) => tab.ask(id, 'tokens=2 rate=100')), ...others.map((id) => second.ask(id, 'tokens=2 rate=100'))]);
    await wait(200);
    if (round < 2) continue;
    ways.direct.push(...direct);
    ways.piped.push(...piped);
    ways.through.push(...asked.map(({ firstTokenMs }) => firstTokenMs));
  }
  addFirstToken('20 at once', ways);
  tab.close();
  second.close();
}

async function benchRelay(product: Product, { modelUrl, pipeUrl, pipe }: Floors, streams: 20 | 100): Promise<void> {
  const perTab = 10;
  const tabs = await Promise.all(Array.from({ length: streams / perTab }, () => new BenchTab(product.url).open(modelUrl)));
  const conversations = await Promise.all(tabs.flatMap((tab) => Array.from({ length: perTab }, async () => ({ tab, id: await tab.newConversation() }))));
  await wait(1_000);
  const tokens = 500;
  const question = `tokens=${tokens} rate=80`;
  const pipeBefore = cpuSeconds(pipe.child);
  const direct = (await Promise.all(Array.from({ length: streams }, () => askDirectly(pipeUrl, question)))).flatMap((answer) => answer.ages);
  const floor = (streams * tokens) / (cpuSeconds(pipe.child) - pipeBefore);
  const bytesBefore = tabs.reduce((sum, tab) => sum + tab.bytes, 0);
  const cpuBefore = cpuSeconds(product.child);
  let rss = 0;
  const sampling = setInterval(() => (rss = Math.max(rss, rssMb(product.child))), 200);
  const answers = await Promise.all(conversations.map(({ tab, id }) => tab.ask(id, question)));
  clearInterval(sampling);
  const cpu = cpuSeconds(product.child) - cpuBefore;
  const delivered = answers.reduce((sum, answer) => sum + answer.tokens, 0);
  const ages = answers.flatMap((answer) => answer.ages);
  add(`tokens per core-second, ${streams} streams`, delivered / cpu, floor);
  add(`age on arrival, ${streams} streams, p50`, percentile(ages, 0.5), percentile(direct, 0.5));
  add(`age on arrival, ${streams} streams, p99`, percentile(ages, 0.99), percentile(direct, 0.99));
  if (streams === 100) {
    add('share delivered, 100 streams', delivered / (streams * tokens), 1);
    add('RSS at 100 streams', rss);
    add('bytes to the page per 500-token answer', (tabs.reduce((sum, tab) => sum + tab.bytes, 0) - bytesBefore) / streams / 1_000);
  }
  for (const tab of tabs) tab.close();
}

async function benchStart(product: Product, environment: Record<string, string>): Promise<void> {
  const bare: number[] = [];
  const ready: number[] = [];
  await product.close();
  for (let at = 0; at < 5; at += 1) {
    const floor = await startProcess(['-e', "require('node:http').createServer().listen(0, () => console.log('ready'))"]);
    bare.push(floor.readyMs);
    await floor.close();
    const started = await startProduct(environment, product.folder);
    ready.push(started.readyMs);
    await started.close();
  }
  add('ready after start (warm)', percentile(ready, 0.5) / 1_000, percentile(bare, 0.5) / 1_000);
}

function print(): void {
  const rows = measured.map(rowOf);
  const header = ['metric', 'value', 'floor', 'ratio', 'budget', 'here', '', 'Open WebUI', 'LibreChat'];
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map(({ cells }) => (cells[column] ?? '').length)));
  const line = (cells: readonly string[]) => `${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()}\n`;
  process.stdout.write(`${line(header)}${rows.map(({ cells }) => line(cells)).join('')}`);
  process.stdout.write(`\n${rows.filter(({ isKept }) => isKept).length} budgets kept, ${rows.filter(({ isKept }) => !isKept).length} missed; ${cpus().length} cores, load and server on the same ones\n`);
  const report = { at: new Date().toISOString(), cores: cpus().length, measured };
  writeFileSync(join(import.meta.dirname, 'latest.json'), `${JSON.stringify(report, null, 2)}\n`);
}

if (runTurbo('build') !== 0) process.exit(1);
const model: Started = await startProcess([join(import.meta.dirname, 'mock-provider.ts')]);
const modelUrl = `http://127.0.0.1:${model.line}/v1`;
const pipe = await startProcess([join(import.meta.dirname, 'pipe.ts'), model.line]);
const floors: Floors = { modelUrl, pipe, pipeUrl: `http://127.0.0.1:${pipe.line}/v1` };
const environment = { PARLEY_OUTBOUND_ALLOW: `127.0.0.1:${model.line}`, PARLEY_TRUSTED_PROXY: '127.0.0.1' };
const product = await startProduct(environment);
try {
  await wait(1_000);
  add('RSS idle', rssMb(product.child));
  await benchFirstToken(product, floors);
  await benchTwentyAtOnce(product, floors);
  await benchRelay(product, floors, 20);
  await benchRelay(product, floors, 100);
  await benchStart(product, environment);
  print();
  await benchStore();
} finally {
  await pipe.close();
  await model.close();
  removeFolder(product.folder);
}
process.exit(0);
