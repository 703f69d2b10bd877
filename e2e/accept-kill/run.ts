// Kills the product in mid-answer, again and again, and judges what is left. `npm run accept:kill`, with `-- --mutant inbox|claim` to see it fail.
import type { GenerationId } from '@parley/contracts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Evidence, type Wrong } from './evidence.ts';
import { judgeLedger, judgeMessages, readLedgers, type GenerationFact } from './judge.ts';
import { Killer, planKills, type KillPlan } from './kills.ts';
import { hookOf, mutants, type Mutant } from './mutants.ts';
import { foundGroups, joinMembers, toPeople, withStore, type Group } from './people.ts';
import type { Person } from './person.ts';
import { buildProduct, freePort, Product, within } from './product.ts';
import { MockProvider } from './provider.ts';
import { between, pause } from './world.ts';

const needed = { acked: 2_000, random: 20, failpoint: 10, resumed: 15 };
const planned = { random: 24, failpoint: 12 };
const membersEach = 2;
const shortConversations = 4;
const wholeRunMs = 12 * 60_000;
const restMs = 150_000;

type World = { readonly evidence: Evidence; readonly product: Product; readonly killer: Killer; readonly provider: MockProvider; readonly store: string };
type Outcome = { readonly resumed: number; readonly resumedLong: number };

const { values } = parseArgs({ options: { mutant: { type: 'string' }, keep: { type: 'boolean', default: false } } });
const mutant = values.mutant === undefined ? null : (mutants.find(({ name }) => name === values.mutant) ?? null);
if (values.mutant !== undefined && !mutant) throw new Error(`There is no mutant ${values.mutant}: ${mutants.map(({ name }) => name).join(', ')}.`);

const startedAt = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'parley-kill-'));
const evidence = new Evidence();
const provider = new MockProvider(evidence);
let exitCode = 1;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
try {
  exitCode = await within(wholeRunMs, 'the whole run should end', run());
} catch (error) {
  console.error(`The run failed: ${error instanceof Error ? error.stack : String(error)}`);
  console.log(figures(0));
} finally {
  provider.close();
  if (!values.keep) rmSync(folder, { recursive: true, force: true });
}
process.exit(exitCode);

async function run(): Promise<number> {
  buildProduct();
  const address = await provider.listen();
  const hook = mutant === null ? null : hookOf(mutant);
  const product = new Product({ folder, port: await freePort(), variables: { PARLEY_OUTBOUND_ALLOW: address }, hook });
  const workersOf = (life: number): number => mutant?.workers ?? 1 + (life % 2);
  const killer = new Killer({ product, provider, evidence, workersOf });
  const world: World = { evidence, product, killer, provider, store: join(folder, 'store.sqlite') };
  const { groups, people } = await prepare(world, address);
  const conversations = Promise.all(people.map((person) => person.converse()));
  const isDisturbing = disturb(people);
  try {
    await killAll(world, planKills(mutant?.kills ?? planned));
    while (!mutant && evidence.acked < needed.acked) await pause(200);
    isDisturbing.stop();
    for (const person of people) person.finish();
    await within(restMs, 'every answer should end', conversations);
    return report(await judge(world, groups, people), killer);
  } finally {
    isDisturbing.stop();
    for (const person of people) person.abandon();
    await product.kill();
  }
}

async function prepare({ killer, product, store }: World, address: string): Promise<{ groups: Group[]; people: Person[] }> {
  await killer.startOrFail();
  const groups = await foundGroups(product.url, address, membersEach);
  await product.stop();
  await joinMembers(store, groups);
  await killer.startOrFail();
  return { groups, people: await toPeople(groups, evidence, shortConversations) };
}

async function killAll({ killer }: World, plans: readonly KillPlan[]): Promise<void> {
  for (const [index, plan] of plans.entries()) {
    await killer.carryOut(plan, `kill ${index + 1}/${plans.length}`);
    await pause(between(0, 400));
  }
}

/** Reloads and cut sockets, all the time. */
function disturb(people: readonly Person[]): { stop(): void } {
  const tabs = people.flatMap((person) => person.tabs);
  const timer = setInterval(() => {
    const tab = tabs[between(0, tabs.length - 1)];
    if (Math.random() < 0.6) tab?.cut();
    else tab?.reload();
  }, 700);
  return { stop: () => clearInterval(timer) };
}

/** One more kill at rest, then everything is read by clients that were never there before; the generations' epochs come from the store itself. */
async function judge({ product, killer, store }: World, groups: readonly Group[], people: readonly Person[]): Promise<Outcome> {
  await product.kill();
  await killer.startOrFail();
  const answers = await judgeMessages(evidence, people);
  const attempts = answers.reduce((sum, { generation }) => sum + (generation?.epoch ?? 0), 0);
  const entries = await readLedgers(groups, attempts);
  const stopped = await product.stop();
  if (stopped.code !== 0) throw new Error(`The last stop ended with ${String(stopped.code ?? stopped.signal)}: ${product.said}`);
  const generations = await readGenerations(store);
  judgeLedger(evidence, generations, entries);
  const known = new Set(answers.map(({ generation }) => generation?.id));
  for (const { id } of generations) if (!known.has(id)) evidence.note('doubled', `${id} belongs to no message`);
  const resumed = generations.filter(({ isResumed, epoch, status }) => isResumed && epoch > 1 && status === 'done');
  return { resumed: resumed.length, resumedLong: resumed.filter(({ id }) => evidence.longAnswers.has(id)).length };
}

async function readGenerations(store: string): Promise<GenerationFact[]> {
  type Row = { _id: string; status: string; epoch: number; resumedAt: Date | null };
  return withStore(store, 'parley_chat', async (connection) => {
    const rows = await connection.collection<Row>('generations').find({}, { projection: { status: 1, epoch: 1, resumedAt: 1 } }).toArray();
    return rows.map(({ _id, status, epoch, resumedAt }) => ({ id: _id as GenerationId, status, epoch, isResumed: resumedAt !== null }));
  });
}

function report({ resumed, resumedLong }: Outcome, { counts }: Killer): number {
  const { sockets, socketsInAnswer, reloads, reloadsInAnswer } = evidence.cuts;
  const retried = [...evidence.conversations.values()].reduce((sum, record) => sum + record.retried.length, 0);
  for (const [wrong, problems] of evidence.problems) for (const problem of [...problems].slice(0, 8)) console.log(`- ${wrong}: ${problem}`);
  console.log(`${counts.random} kills in mid-answer, ${counts.failpoint} at failpoints; ${sockets} sockets cut (${socketsInAnswer} in mid-answer), ${reloads} reloads (${reloadsInAnswer} in mid-answer)`);
  console.log(`${evidence.repeated} messages were sent more than once; ${provider.calls} calls of the provider; ${resumedLong} long answers resumed, ${retried} retried by their person`);
  console.log(`refused or unanswered: ${[...evidence.refusals].map(([code, count]) => `${code} ${count}`).join(', ') || 'nothing'}`);
  console.log(`took ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  console.log(figures(resumed));
  return mutant === null ? verdictOf(counts, resumed) : verdictOnMutant(mutant);
}

function figures(resumed: number): string {
  const count = (wrong: Wrong): string => `${wrong} ${evidence.count(wrong)}`;
  return `acked ${evidence.acked} ${count('lost')} ${count('doubled')} ${count('disordered')} ${count('misbilled')} resumed ${resumed}`;
}

function verdictOf({ random, failpoint }: Killer['counts'], resumed: number): number {
  const isClean = [...evidence.problems.values()].every((problems) => problems.size === 0);
  const isEnough = evidence.acked >= needed.acked && random >= needed.random && failpoint >= needed.failpoint && resumed >= needed.resumed;
  return isClean && isEnough ? 0 : 1;
}

/** A mutant always ends in an error; one that nothing shows is worse. */
function verdictOnMutant({ name, shows }: Mutant): number {
  if (evidence.count(shows) > 0) return 1;
  console.error(`Mutant ${name} was not noticed: ${shows} is 0.`);
  return 2;
}
