import { Injectable } from '@nestjs/common';
import {
  chatbotTestsChanged,
  type getTestRun,
  type listTestRuns,
  type startTestRun,
  type stopTestRun,
  type TestRun,
  type TestRunId,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { isDuplicateKey, type OrganisationScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { ChatbotsService } from '../../assistants/chatbots/index.ts';
import { askerOf } from '../generations/index.ts';
import type { TestRunRow } from './test.collection.ts';
import { contentHashOf, toRun, toRunSummary } from './test.ts';
import { TestsRepository } from './tests.repository.ts';

const goesOn = { detail: 'A run of this chatbot goes on. Wait for its end, or stop it.' };

/** Starts, stops and shows runs of a chatbot's tests; `TestRunner` makes their steps. */
@Injectable()
export class TestRunsService {
  constructor(
    private readonly tests: TestsRepository,
    private readonly chatbots: ChatbotsService,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** Idempotent: repeating the call with the same id returns the existing run. */
  async start({ scope, principal, params, body }: InputOf<typeof startTestRun>): Promise<TestRun> {
    const known = await this.tests.findRun(scope, body.id);
    if (known) return this.shown(scope, known);
    const {
      id: chatbotId,
      version: number,
      content,
    } = await this.chatbots.content(scope, params.chatbotId, body.version);
    const { groupIds, ...asker } = askerOf({ principal });
    const now = this.clock.now();
    const begun = {
      _id: body.id,
      orgId: scope.orgId,
      chatbotId,
      version: body.version,
      number,
      content,
      contentHash: contentHashOf(content),
      asker: { ...asker, groupIds: [...(groupIds ?? [])] },
      status: 'running' as const,
      isStopWanted: false,
      startedAt: now,
      finishedAt: null,
      revision: 1,
    };
    const row = await this.work
      .run(principal, async (tx) => {
        if (await this.tests.isRunning(scope, chatbotId, tx)) throw new Problem('platform.conflict', goesOn);
        const tests = await this.tests.list(scope, chatbotId, tx);
        if (tests.length === 0) throw new Problem('platform.invalid-request', { detail: 'There are no tests.' });
        const results = tests.map(({ _id: testId, revision, question, expects }) => ({
          testId,
          revision,
          question,
          expects,
          state: 'waiting' as const,
          missing: { words: [], passages: [] },
          trialId: null,
        }));
        const inserted = await this.tests.insertRun(scope, { ...begun, results }, tx);
        await this.tests.pruneRuns(scope, chatbotId, tx);
        tx.record(chatbotTestsChanged, { orgId: scope.orgId, chatbotId, change: 'run' });
        return inserted.row;
      })
      .catch((error: unknown) => {
        // Someone else started a run at the same moment.
        if (isDuplicateKey(error)) throw new Problem('platform.conflict', goesOn, { cause: error });
        throw error;
      });
    return this.shown(scope, row);
  }

  async list({ scope, params }: InputOf<typeof listTestRuns>): Promise<ResponseOf<typeof listTestRuns>> {
    const { _id, draft } = await this.chatbots.row(scope, params.chatbotId);
    const hash = contentHashOf(draft);
    return { items: (await this.tests.listRuns(scope, _id)).map((row) => toRunSummary(row, hash)) };
  }

  async read({ scope, params }: InputOf<typeof getTestRun>): Promise<TestRun> {
    return this.shown(scope, await this.find(scope, params.runId));
  }

  async stop({ scope, principal, params }: InputOf<typeof stopTestRun>): Promise<TestRun> {
    const { _id } = await this.find(scope, params.runId);
    await this.work.run(principal, (tx) => this.tests.wantStop(scope, _id, tx));
    return this.shown(scope, await this.find(scope, _id));
  }

  private async find(scope: OrganisationScope, id: TestRunId): Promise<TestRunRow> {
    const row = await this.tests.findRun(scope, id);
    if (!row) throw new Problem('platform.not-found', { detail: 'No such run.' });
    return row;
  }

  private async shown(scope: OrganisationScope, row: TestRunRow): Promise<TestRun> {
    const { draft } = await this.chatbots.row(scope, row.chatbotId);
    return toRun(row, contentHashOf(draft));
  }
}
