import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  chatbotGateChanged,
  chatbotTestsChanged,
  type changeTest,
  type ChatbotId,
  type ChatbotTest,
  type ChatbotTestId,
  type createTest,
  type deleteTest,
  type listTests,
  type setTestGate,
  type TestExpectation,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { InputOf, Member } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { ChatbotsService, type ChatbotRow } from '../../assistants/chatbots/index.ts';
import { DocumentsService } from '../../knowledge/documents/index.ts';
import type { TestRow } from './test.collection.ts';
import { contentHashOf, passedNow, toTest } from './test.ts';
import { TestsRepository } from './tests.repository.ts';

/** Manages test questions with expected results, and how many have to pass before a draft is published. */
@Injectable()
export class TestsService implements OnModuleInit {
  constructor(
    private readonly tests: TestsRepository,
    private readonly chatbots: ChatbotsService,
    private readonly documents: DocumentsService,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.chatbots.accompany({
      beforePublish: (scope, row, tx) => this.assertPassed(scope, row, tx),
      whenDeleted: (scope, id, tx) => this.tests.deleteAll(scope, id, tx),
    });
  }

  async list({ scope, params }: InputOf<typeof listTests>): Promise<ResponseOf<typeof listTests>> {
    const chatbot = await this.chatbots.row(scope, params.chatbotId);
    const [tests, onDraft, onPublished] = await Promise.all([
      this.tests.list(scope, chatbot._id),
      this.tests.lastRunOf(scope, chatbot._id, contentHashOf(chatbot.draft)),
      chatbot.published && this.tests.lastRunOf(scope, chatbot._id, contentHashOf(chatbot.published.content)),
    ]);
    const passed = (run: typeof onDraft) => run && { runId: run._id, passed: passedNow(run, tests) };
    return {
      items: tests.map(toTest),
      gate: chatbot.gate ?? null,
      onDraft: passed(onDraft),
      onPublished: passed(onPublished),
    };
  }

  /** Idempotent: repeating the call with the same id returns the existing test. */
  async create({ scope, principal, params, body }: InputOf<typeof createTest>): Promise<ChatbotTest> {
    const { id: _id, question, expects } = body;
    await this.assertDocuments({ scope, principal }, expects);
    return this.work.run(principal, async (tx) => {
      const { _id: chatbotId } = await this.chatbots.row(scope, params.chatbotId, tx);
      const made = { _id, orgId: scope.orgId, chatbotId, revision: 1, question, expects, ...this.editedBy(principal) };
      const { row, isNew } = await this.tests.insert(scope, made, tx);
      if (isNew) this.tell(scope, chatbotId, tx);
      return toTest(row);
    });
  }

  async change({ scope, principal, params, body }: InputOf<typeof changeTest>): Promise<ChatbotTest> {
    const { revision, question, expects } = body;
    await this.assertDocuments({ scope, principal }, expects);
    return this.work.run(principal, async (tx) => {
      const seen = await this.find(scope, params.testId, tx);
      const set = { question, expects, ...this.editedBy(principal) };
      const row = await this.tests.change(scope, { _id: seen._id, revision }, set, tx);
      if (!row) throw new Problem('platform.conflict', { current: toTest(seen) });
      this.tell(scope, row.chatbotId, tx);
      return toTest(row);
    });
  }

  async delete({ scope, principal, params }: InputOf<typeof deleteTest>): Promise<void> {
    await this.work.run(principal, async (tx) => {
      const { _id, chatbotId } = await this.find(scope, params.testId, tx);
      if (await this.tests.delete(scope, _id, tx)) this.tell(scope, chatbotId, tx);
    });
  }

  async setGate({
    scope,
    principal,
    params,
    body,
  }: InputOf<typeof setTestGate>): Promise<ResponseOf<typeof setTestGate>> {
    const { was, gate } = body;
    return this.work.run(principal, async (tx) => {
      const row = await this.chatbots.row(scope, params.chatbotId, tx);
      const before = row.gate?.least ?? null;
      const least = gate?.least ?? null;
      if (before === least) return { gate };
      if (before !== (was?.least ?? null))
        throw new Problem('platform.conflict', { current: { gate: row.gate ?? null } });
      await this.chatbots.setGate(scope, row, gate, tx);
      const { _id: chatbotId, orgId, draft } = row;
      tx.record(chatbotGateChanged, { orgId, chatbotId, by: principal.userId, name: draft.name, before, least });
      return { gate };
    });
  }

  /** Checks the draft that is being published, in the transaction that publishes it. */
  private async assertPassed(scope: OrganisationScope, row: ChatbotRow, tx: Transaction): Promise<void> {
    if (!row.gate) return;
    const run = await this.tests.lastRunOf(scope, row._id, contentHashOf(row.draft), tx);
    const passed = run ? passedNow(run, await this.tests.list(scope, row._id, tx)) : 0;
    if (passed < row.gate.least)
      throw new Problem('chat.too-few-tests-pass', { detail: `${passed} of the ${row.gate.least} that have to.` });
  }

  private async assertDocuments(
    member: { readonly scope: OrganisationScope; readonly principal: Member },
    { passages }: TestExpectation,
  ): Promise<void> {
    for (const { documentId } of passages) await this.documents.assertListed(member, documentId);
  }

  private async find(scope: OrganisationScope, id: ChatbotTestId, tx: Transaction): Promise<TestRow> {
    const row = await this.tests.find(scope, id, tx);
    if (!row) throw new Problem('platform.not-found', { detail: 'No such test.' });
    return row;
  }

  private tell({ orgId }: OrganisationScope, chatbotId: ChatbotId, tx: Transaction): void {
    tx.record(chatbotTestsChanged, { orgId, chatbotId, change: 'tests' });
  }

  private editedBy({ userId, name }: Member) {
    return { editedAt: this.clock.now(), editedBy: { userId, name } };
  }
}
