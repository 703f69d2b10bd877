import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@parley/testing';
import type { Infrastructure, ProcessName, Running } from '@parley/testing/distributed';
import { BudgetScene, type Budgeted } from './budget-scene.ts';
import { patienceMs } from './patient-client.ts';
import { gaugeOf } from './two-of-each.ts';

const answers = 10;
/**
 * Billing frees what a dead worker reserved after 15 s. Nobody renews it: billing counts it for 15 s at most after
 * the last renewal, and a worker that takes the answer over (10 s after the last checkpoint, and the next sweep) gives
 * it back before. The rest is for a busy machine.
 */
const freeWithinMs = 120_000;

/** Many ask at once under one budget for ten answers, while only workers or only billing are killed with -9. */
export function defineBudgetKills(servers: Infrastructure, counts: readonly number[]): void {
  let scene: BudgetScene;
  beforeAll(async () => {
    scene = await BudgetScene.start(servers);
  }, 300_000);
  // Whoever still waits after a test that failed would be counted by the next one.
  afterEach(() => scene.model.answerAll(''));
  afterAll(() => scene?.close());

  const kill = async (...victims: readonly Running[]): Promise<number> => {
    const killedAt = Date.now();
    await Promise.all(victims.map((victim) => scene.running.killAndReplace(victim)));
    return killedAt;
  };
  /** So many are asked at once; resolves in the middle of it, when ten wait for the model and others are refused. */
  const beginAsking = async (budgeted: Budgeted, count: number) => {
    const all = Promise.all(Array.from({ length: count }, () => budgeted.ask()));
    await eventually(
      async () => {
        await budgeted.askAgain();
        expect((await budgeted.states())['budget-spent'] ?? 0).toBeGreaterThanOrEqual((count - answers) / 4);
        expect(scene.model.asked).toBe(answers);
      },
      'the budget should be reserved by ten',
      patienceMs,
    );
    return { all };
  };
  /** Each is decided, ten of them are being written, and beside these ten only the test itself may reserve anything. */
  const untilTenAreLeft = (budgeted: Budgeted, count: number): Promise<void> =>
    eventually(
      async () => {
        await budgeted.askAgain();
        const refused = count > answers ? { 'budget-spent': count - answers } : {};
        expect(await budgeted.states()).toMatchObject({ running: answers, ...refused });
        expect(scene.model.asked).toBe(answers);
        const { reservations } = await scene.sheetOf(budgeted.orgId);
        expect(reservations.filter(({ tokens }) => tokens !== budgeted.each * answers)).toHaveLength(answers);
        expect(reservations.filter(({ tokens }) => tokens === budgeted.each)).toHaveLength(answers);
      },
      'ten should be written and all others be refused',
      patienceMs,
    );
  /** Ten are answered, all others refused by name; each attempt that was not refused is once in the ledger, which says what was spent. */
  const expectBooks = async (budgeted: Budgeted, count: number): Promise<void> => {
    const asked = budgeted.asked.slice(-count);
    const ends = await Promise.all(asked.map((one) => budgeted.answerOf(one)));
    const isAnswered = (each: (typeof ends)[number]) => each.generation?.status === 'done';
    expect(ends.filter(isAnswered).map(({ text }) => text)).toEqual(Array(answers).fill('Three herons.'));
    const refusals = ends
      .filter((each) => !isAnswered(each))
      .map(({ text, generation }) => [text, generation?.failure]);
    expect(refusals).toEqual(Array(count - answers).fill(['', 'budget-spent']));
    await expectLedger(budgeted);
  };
  const expectLedger = (budgeted: Budgeted): Promise<void> =>
    eventually(async () => {
      const entries = await scene.entriesOf(budgeted.orgId);
      const told = await scene.generationsOf(budgeted.orgId);
      const attempts = told.flatMap(({ _id, epoch, attempts: ends }) => {
        const refused = new Set(ends.filter(({ isRefused }) => isRefused).map(({ attempt }) => attempt));
        const begun = Array.from({ length: epoch }, (_, at) => at + 1).filter((attempt) => !refused.has(attempt));
        return begun.map((attempt) => `${_id}:${attempt}`);
      });
      expect(entries.map(({ generationId, attempt }) => `${generationId}:${attempt}`).toSorted()).toEqual(
        attempts.toSorted(),
      );
      const used = entries.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
      expect(await budgeted.figures()).toMatchObject({ spent: used, held: 0 });
    }, 'the ledger should say what was spent');
  const of = (name: ProcessName) => scene.running.of(name);

  describe.each(counts)('%i questions at once against a budget for ten', (count) => {
    test('a worker is killed in between: what it reserved is free, ten are answered, the others refused, nothing is billed twice', async () => {
      const budgeted = await scene.budgetFor(answers);
      const stopWatching = budgeted.watch();
      const { all } = await beginAsking(budgeted, count);
      const writes = await Promise.all(of('chat-worker').map((each) => gaugeOf(each, 'parley_generation_active')));
      const held = (await scene.sheetOf(budgeted.orgId)).reservations.map(({ id }) => id);
      const killedAt = await kill(of('chat-worker')[writes.indexOf(Math.max(...writes))]!);
      await all;
      await eventually(
        async () => (await budgeted.states())['begun again'] !== undefined,
        'the other one should take over',
        patienceMs,
      );
      await untilTenAreLeft(budgeted, count);
      const { reservations } = await scene.sheetOf(budgeted.orgId);
      const ofDead = new Set(held.filter((id) => !reservations.some((reservation) => reservation.id === id)));
      expect(ofDead.size).toBeGreaterThan(0);
      const freed = (await scene.notesOf(budgeted.orgId)).filter(
        ({ reservationId, kind }) => ofDead.has(reservationId) && kind !== 'reserved',
      );
      expect(freed.map(({ reservationId }) => reservationId).toSorted()).toEqual([...ofDead].toSorted());
      const freedMs = freed.map(({ at }) => at.getTime() - killedAt);
      process.stdout.write(
        `${count}: ${freed.length} reservations of the dead worker free after ${freedMs.join(', ')} ms\n`,
      );
      await budgeted.answerAll();
      await expectBooks(budgeted, count);
      expect(await stopWatching()).toBeLessThanOrEqual(0);
    }, 900_000);

    test('one billing is killed in between, then the other one: ten are answered, the others refused, nothing is billed twice', async () => {
      const budgeted = await scene.budgetFor(answers);
      const stopWatching = budgeted.watch();
      const { all } = await beginAsking(budgeted, count);
      await kill(of('billing')[0]!);
      await scene.running.untilReady();
      await kill(of('billing')[1]!);
      await all;
      await untilTenAreLeft(budgeted, count);
      await budgeted.answerAll();
      await expectBooks(budgeted, count);
      expect(await stopWatching()).toBeLessThanOrEqual(0);
    }, 900_000);
  });

  test('every worker is killed and none comes back: within 30 s nothing is reserved, and the next question gets it', async () => {
    const budgeted = await scene.budgetFor(answers);
    await beginAsking(budgeted, answers);
    await untilTenAreLeft(budgeted, answers);
    const whole = budgeted.each * answers;
    await expect(scene.reserveAsChat(budgeted.orgId, 1)).rejects.toMatchObject({ code: 'billing.budget-spent' });
    const killedAt = Date.now();
    const replace = await Promise.all(of('chat-worker').map((worker) => scene.running.kill(worker)));
    await eventually(() => scene.reserveAsChat(budgeted.orgId, whole), 'all should be free again', freeWithinMs);
    process.stdout.write(`no worker is left: all free again after ${Date.now() - killedAt} ms\n`);
    expect((await budgeted.figures()).held).toBe(whole);
    await budgeted.setLimit((await budgeted.figures()).spent + 2 * whole);
    await Promise.all(replace.map((startAnother) => startAnother()));
    await untilTenAreLeft(budgeted, answers);
    await budgeted.answerAll();
    await expectBooks(budgeted, answers);
  }, 900_000);

  test('every billing is killed while ten reserve: their budget stays reserved, who asks meanwhile is refused, and ten are answered', async () => {
    const budgeted = await scene.budgetFor(answers);
    await beginAsking(budgeted, answers);
    await untilTenAreLeft(budgeted, answers);
    const lastLease = Math.max(
      ...(await scene.sheetOf(budgeted.orgId)).reservations.map(({ leaseUntil }) => +leaseUntil),
    );
    const stopWatching = budgeted.watch();
    const replace = await Promise.all(of('billing').map((each) => scene.running.kill(each)));
    const meanwhile = await Promise.all([budgeted.ask(), budgeted.ask()]);
    await eventually(
      async () => {
        for (const one of meanwhile)
          expect((await budgeted.answerOf(one)).generation?.failure).toMatch(/^budget-(unavailable|spent)$/);
      },
      'who asks meanwhile should be refused',
      patienceMs,
    );
    await Promise.all(replace.map((startAnother) => startAnother()));
    await scene.running.untilReady();
    await eventually(
      async () => {
        const { reservations } = await scene.sheetOf(budgeted.orgId);
        expect(reservations).toHaveLength(answers);
        for (const { leaseUntil } of reservations) expect(+leaseUntil).toBeGreaterThan(lastLease);
      },
      'their workers should renew what they reserve',
      patienceMs,
    );
    await budgeted.answerAll();
    const ends = await Promise.all(budgeted.asked.slice(-answers - 2).map((one) => budgeted.answerOf(one)));
    expect(ends.filter(({ generation }) => generation?.status === 'done')).toHaveLength(answers);
    await expectLedger(budgeted);
    expect(await stopWatching()).toBeLessThanOrEqual(0);
  }, 900_000);
}
