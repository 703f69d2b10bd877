// Attacks the running product by named cases and a seeded fuzzer while another organisation works: `npm run
// accept:abuse`. See README.md.
import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { startDistributed, startEmbedded, type Attacked, type StartAttacked } from './attacked.ts';
import { buildProduct, TooLate, within } from '../accept-kill/product.ts';
import { fuzz } from './fuzz.ts';
import { Memory, mostGrowthMb } from './memory.ts';
import { Probe } from './probe.ts';
import { projectCases } from './project-cases.ts';
import { requestCases, waitingRequestCases } from './request-cases.ts';
import { Servers } from './servers.ts';
import { flowCases } from './flow-cases.ts';
import { storeCases, waitingStoreCases } from './store-cases.ts';
import { World, type Case } from './world.ts';

/** Longer than the other organisation waits for its answer: that it had none is a fault, no missed time. */
const perCaseMs = 420_000;
/** After which the run judges what it has seen. */
const attackMs = 8 * 60_000;
const wholeRunMs = 11 * 60_000;
const restMs = 120_000;
const betweenMs = 1_500;
/** Those that wait begin one after the other: what is measured is their attack, not their preparation. */
const apartMs = 4_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '20' },
    only: { type: 'string' },
    edition: { type: 'string', default: 'embedded' },
  },
});
const seed = values.seed === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const seconds = Number(values.seconds);
if (!Number.isInteger(seed) || !Number.isInteger(seconds) || seconds < 0)
  throw new Error('--seed and --seconds are whole numbers; --seed can be random.');
const editions: Readonly<Record<string, StartAttacked>> = { embedded: startEmbedded, distributed: startDistributed };
const start = editions[values.edition];
if (!start) throw new Error('--edition is embedded or distributed.');
const isWanted = ({ name }: Case): boolean => values.only === undefined || name.includes(values.only);

let [passed, failed, late] = [0, 0, 0];
const fuzzing: Case = { name: `fuzzer: every route and socket event`, run: (world) => fuzz(world, { seed, seconds }) };
const startedAt = performance.now();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

buildProduct();
const probe = await Probe.start();
const servers = await Servers.start();
try {
  await within(wholeRunMs + seconds * 1_000, 'the whole run should end', run());
} catch (error) {
  say(false, 'the run comes to its end', error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  probe.close();
  servers.close();
}
console.log(`took ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
console.log(`${passed} passed, ${failed} failed`);
// 3: only times were missed, which depend on the machine.
process.exit(failed === 0 ? 0 : failed === late ? 3 : 1);

async function run(): Promise<void> {
  const attacked = await start!([...servers.all, probe.address]);
  const world = new World(servers, attacked);
  try {
    probe.begin(await world.found(probe.address));
    for (const deadline = performance.now() + restMs; !probe.hasRested && performance.now() < deadline;)
      await wait(200);
    const memory = await Memory.watch(world);
    // Attackers work on machines of their own, and people don't wait for those.
    setPriority(constants.priority.PRIORITY_LOW);
    probe.beginAttack();
    const waiting = [...waitingStoreCases, ...flowCases, ...waitingRequestCases].filter(isWanted);
    const begunInTurn = waiting.map(async (each, at) => {
      await wait(at * apartMs);
      await carryOut(each, world);
    });
    // All at once would measure how many cases there are.
    const attack = Promise.all(begunInTurn).then(() => {
      servers.endSlowAnswers();
      return inTurn(world);
    });
    await within(attackMs + seconds * 1_000, 'the attack should end', attack).catch((error: unknown) =>
      sayError('the attack comes to its end', error),
    );
    memory?.close();
    await judge(world, attacked, memory);
  } finally {
    await attacked.close();
  }
}

async function inTurn(world: World): Promise<void> {
  for (const each of [...requestCases, ...projectCases, ...storeCases, fuzzing].filter(isWanted)) {
    await carryOut(each, world);
    await wait(betweenMs);
  }
}

async function carryOut({ name, run: act }: Case, world: World): Promise<void> {
  const begunAt = performance.now();
  const took = (): string => `${((performance.now() - begunAt) / 1_000).toFixed(1)} s`;
  try {
    const seen = await within(perCaseMs + seconds * 1_000, name, act(world));
    say(true, name, `${seen} (${took()})`);
  } catch (error) {
    sayError(name, error, took());
  }
}

async function judge(world: World, attacked: Attacked, memory: Memory | null): Promise<void> {
  for (const line of [...probe.times, probe.lateness]) console.log(line);
  say(probe.blindness === null, 'the watch saw the attack', probe.blindness ?? 'sign-ins, lists and first words');
  for (const shortage of probe.shortages) sayError('the watch saw enough', new TooLate(shortage));
  const { what, isFine, figures } = probe.verdict;
  say(isFine, what, figures);
  const { broken, summary } = world.watch;
  say(broken.length === 0, 'nothing is answered with 500', broken.join(' | ') || summary);
  say(attacked.isAlive, 'every process that was started is still there', `${attacked.pids.length} processes`);
  if (memory && attacked.isMemoryJudged)
    say(memory.growthMb <= mostGrowthMb, `memory grows by at most ${mostGrowthMb} MB`, memory.figures);
  else console.log(`memory: ${memory?.figures ?? 'not measured here'}`);
  const holdMs = await attacked.longestHoldMs().catch(() => Number.NaN);
  if (holdMs !== null) console.log(`the store was held for ${holdMs.toFixed(0)} ms of CPU time at most`);
}

function say(isFine: boolean, what: string, details: string): void {
  if (isFine) passed += 1;
  else failed += 1;
  console.log(`${isFine ? 'ok     ' : 'FAILED '} ${what}: ${details.slice(0, 2_000)}`);
}

/** A missed time is no fault of the product, but a fault can hide behind it: the run says so by its exit code. */
function sayError(what: string, error: unknown, took = ''): void {
  if (error instanceof TooLate) late += 1;
  say(false, what, `${error instanceof Error ? error.message : String(error)}${took && ` (${took})`}`);
}
