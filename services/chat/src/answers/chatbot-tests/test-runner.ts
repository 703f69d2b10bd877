import { Injectable } from '@nestjs/common';
import { chatbotTestsChanged, type GenerationId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Doorbell } from '@parley/platform/doorbell';
import { derivedId } from '@parley/platform/ids';
import { goOn, type GoesOn, type JobInput, type JobRunner } from '@parley/platform/jobs';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import { AskTrial } from '../trials/index.ts';
import { GenerationsRepository, mayStillAsk, stopsWanted, type Generation } from '../generations/index.ts';
import { missingIn } from './judge-answer.ts';
import type { ResultRow, TestRunRow } from './test.collection.ts';
import type { runTests } from './test-jobs.ts';
import { isOver } from './test.ts';
import { TestsRepository } from './tests.repository.ts';

const stepEveryMs = 1_000;
/**
 * Limits the questions that one test run asks at the same time, so that chats of the organisation still get answers.
 */
export const askedAtOnce = 3;
const everywhere = jobScope('runs the tests of chatbots');
type Input = JobInput<typeof runTests>;
const nothingMissing = { words: [], passages: [] };

/**
 * Makes the steps of test runs: asks questions, looks for ended answers, judges them. Another process continues after a
 * crash. If two processes make the same step, both ask the same trial, and only one stores the step.
 */
@Injectable()
export class TestRunner implements JobRunner<Input> {
  constructor(
    private readonly tests: TestsRepository,
    private readonly asking: AskTrial,
    private readonly generations: GenerationsRepository,
    private readonly doorbell: Doorbell,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly platform: Platform,
  ) {}

  /** Makes one step of a run, and schedules the next a second later. */
  async run({ orgId, runId }: Input): Promise<GoesOn | void> {
    const scope = everywhere.in(orgId);
    const run = await this.tests.findRun(scope, runId);
    if (run?.status !== 'running') return;
    const isDone = await this.step(scope, run);
    if (!isDone) return goOn(new Date(this.clock.now().getTime() + stepEveryMs));
  }

  /** Ends the run with its results so far, so that another run can begin. */
  async giveUp({ orgId, runId }: Input): Promise<void> {
    const scope = everywhere.in(orgId);
    const run = await this.tests.findRun(scope, runId);
    if (run?.status !== 'running') return;
    const results = run.results.map((result) =>
      isOver(result.state) ? result : { ...result, state: 'skipped' as const },
    );
    await this.keep(scope, run, { results, status: 'stopped', finishedAt: this.clock.now() });
  }

  /** Makes one step, and returns true if that was the last. */
  private async step(scope: OrganisationScope, run: TestRunRow): Promise<boolean> {
    const isEnding = run.isStopWanted || !(await this.mayGoOn(run));
    const judged = await this.judge(scope, run.results);
    const results = isEnding ? await this.end(scope, judged) : await this.askNext(scope, run, judged);
    const isDone = results.every(({ state }) => isOver(state));
    const status = isDone ? (isEnding ? ('stopped' as const) : ('done' as const)) : run.status;
    const isSame = results.every(({ state }, at) => state === run.results[at]?.state);
    if (isSame && !isDone) return false;
    return (await this.keep(scope, run, { results, status, finishedAt: isDone ? this.clock.now() : null })) && isDone;
  }

  /** Stores a step; returns false if another process made one meanwhile. */
  private keep(
    scope: OrganisationScope,
    run: TestRunRow,
    set: Parameters<TestsRepository['step']>[2],
  ): Promise<boolean> {
    const { chatbotId, orgId, asker } = run;
    return this.work.run(job('runs tests', { onBehalfOf: asker.userId }), async (tx) => {
      const stepped = await this.tests.step(scope, run, set, tx);
      if (stepped) tx.record(chatbotTestsChanged, { orgId, chatbotId, change: 'run' });
      return stepped !== null;
    });
  }

  /** Returns whether the person who started the run still has the permission to ask. */
  private mayGoOn({ orgId, asker, startedAt, results }: TestRunRow): Promise<boolean> {
    if (!results.some(({ state }) => state === 'waiting')) return Promise.resolve(true);
    return mayStillAsk(this.platform, { orgId, userId: asker.userId, queuedAt: startedAt });
  }

  private async judge(scope: OrganisationScope, results: readonly ResultRow[]): Promise<ResultRow[]> {
    const ids = results.flatMap(({ state, trialId }) =>
      state === 'running' && trialId ? generationIdOf(trialId) : [],
    );
    const found = new Map((await this.generations.findMany(scope, ids)).map((row) => [row._id, row]));
    return results.map((result) => {
      const generation = result.trialId && found.get(generationIdOf(result.trialId));
      return result.state === 'running' && generation ? judged(result, generation) : result;
    });
  }

  private async askNext(scope: OrganisationScope, run: TestRunRow, results: ResultRow[]): Promise<ResultRow[]> {
    let free = askedAtOnce - results.filter(({ state }) => state === 'running').length;
    const asked: ResultRow[] = [];
    for (const result of results) {
      const isNext = result.state === 'waiting' && free > 0;
      if (isNext) free -= 1;
      asked.push(isNext ? await this.ask(scope, run, result) : result);
    }
    return asked;
  }

  private async ask(scope: OrganisationScope, run: TestRunRow, result: ResultRow): Promise<ResultRow> {
    const { asker, version, chatbotId, number, content, _id: runId } = run;
    const trialId = derivedId('trial', [runId, result.testId]);
    const actor = job('runs tests', { onBehalfOf: asker.userId });
    const chatbot = { id: chatbotId, version: number, content };
    try {
      const { question } = result;
      await this.asking.ask({ scope, actor, asker, id: trialId, chatbot, version, question, runId });
      return { ...result, state: 'running', trialId };
    } catch (error) {
      if (error instanceof Problem) return { ...result, state: 'unanswered' };
      throw error;
    }
  }

  /** Requests a stop of the run's unfinished answers. Each ends with its text so far, which the next step finds. */
  private async end(scope: OrganisationScope, results: ResultRow[]): Promise<ResultRow[]> {
    const running = results.flatMap(({ state, trialId }) => (state === 'running' && trialId ? trialId : []));
    for (const id of running) await this.generations.requestStop(scope, generationIdOf(id));
    if (running.length > 0) this.doorbell.ring(stopsWanted);
    return results.map((result) => (result.state === 'waiting' ? { ...result, state: 'skipped' } : result));
  }
}

const generationIdOf = (trialId: NonNullable<ResultRow['trialId']>): GenerationId =>
  derivedId('generation', ['trial', trialId]);

function judged(result: ResultRow, { status, finishedAt, text, found }: Generation): ResultRow {
  if (!finishedAt) return result;
  if (status === 'stopped') return { ...result, state: 'skipped' };
  if (status !== 'done') return { ...result, state: 'unanswered' };
  const missing = missingIn(result.expects, { text, found: found ?? [] });
  const isPassed = missing.words.length + missing.passages.length === 0;
  return { ...result, state: isPassed ? 'passed' : 'failed', missing: isPassed ? nothingMissing : missing };
}
