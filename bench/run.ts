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

async function benchFirstToken(product: Product, modelUrl: string): Promise<void> {
  const tab = await new BenchTab(product.url).open(modelUrl);
  const conversation = await tab.newConversation();
  const direct: number[] = [];
  const through: number[] = [];
  for (let at = 0; at < 220; at += 1) {
    const one = (await askDirectly(modelUrl, 'tokens=2 rate=100')).firstTokenMs;
    const other = (await tab.ask(conversation, 'tokens=2 rate=100')).firstTokenMs;
    if (at >= 20) {
      direct.push(one);
      through.push(other);
    }
    await wait(5);
  }
  const floor = { p50: percentile(direct, 0.5), p99: percentile(direct, 0.99) };
  add('first token added, 1 stream, p50', percentile(through, 0.5) - floor.p50, floor.p50);
  add('first token added, 1 stream, p99', percentile(through, 0.99) - floor.p50, floor.p99);
  tab.close();
}

async function benchTwentyAtOnce(product: Product, modelUrl: string): Promise<void> {
  const tab = await new BenchTab(product.url).open(modelUrl);
  const conversations = await Promise.all(Array.from({ length: 15 }, () => tab.newConversation()));
  const second = await new BenchTab(product.url).open(modelUrl);
  const others = await Promise.all(Array.from({ length: 5 }, () => second.newConversation()));
  const direct: number[] = [];
  const through: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    const floors = await Promise.all(Array.from({ length: 20 }, () => askDirectly(modelUrl, 'tokens=2 rate=100')));
    const rounds = await Promise.all([...conversations.map((id) => tab.ask(id, 'tokens=2 rate=100')), ...others.map((id) => second.ask(id, 'tokens=2 rate=100'))]);
    if (round >= 2) {
      direct.push(...floors.map(({ firstTokenMs }) => firstTokenMs));
      through.push(...rounds.map(({ firstTokenMs }) => firstTokenMs));
    }
  }
  add('first token added, 20 at once, p50', percentile(through, 0.5) - percentile(direct, 0.5), percentile(direct, 0.5));
  add('first token added, 20 at once, p99', percentile(through, 0.99) - percentile(direct, 0.5), percentile(direct, 0.99));
  tab.close();
  second.close();
}

async function benchRelay(product: Product, modelUrl: string, streams: 20 | 100): Promise<void> {
  const perTab = 10;
  const tabs = await Promise.all(Array.from({ length: streams / perTab }, () => new BenchTab(product.url).open(modelUrl)));
  const conversations = await Promise.all(tabs.flatMap((tab) => Array.from({ length: perTab }, async () => ({ tab, id: await tab.newConversation() }))));
  const tokens = 500;
  const question = `tokens=${tokens} rate=80`;
  const bytesBefore = tabs.reduce((sum, tab) => sum + tab.bytes, 0);
  const cpuBefore = cpuSeconds(product.child);
  let rss = 0;
  const sampling = setInterval(() => (rss = Math.max(rss, rssMb(product.child))), 200);
  const answers = await Promise.all(conversations.map(({ tab, id }) => tab.ask(id, question)));
  clearInterval(sampling);
  const cpu = cpuSeconds(product.child) - cpuBefore;
  const delivered = answers.reduce((sum, answer) => sum + answer.tokens, 0);
  const ages = answers.flatMap((answer) => answer.ages);
  const direct = (await Promise.all(Array.from({ length: streams }, () => askDirectly(modelUrl, `tokens=80 rate=80`)))).flatMap((answer) => answer.ages);
  add(`tokens per core-second, ${streams} streams`, delivered / cpu);
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
  const header = ['metric', 'value', 'floor', 'ratio', 'budget', '', 'Open WebUI', 'LibreChat'];
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
const environment = { PARLEY_OUTBOUND_ALLOW: `127.0.0.1:${model.line}`, PARLEY_TRUSTED_PROXY: '127.0.0.1' };
const product = await startProduct(environment);
try {
  await wait(1_000);
  add('RSS idle', rssMb(product.child));
  await benchFirstToken(product, modelUrl);
  await benchTwentyAtOnce(product, modelUrl);
  await benchRelay(product, modelUrl, 20);
  await benchRelay(product, modelUrl, 100);
  await benchStart(product, environment);
  print();
  await benchStore();
} finally {
  await model.close();
  removeFolder(product.folder);
}
process.exit(0);
