import { Injectable } from '@nestjs/common';
import {
  answerCurated,
  type changeCuratedAnswer,
  type createCuratedAnswer,
  type CuratedAnswer,
  type CuratedAnswerId,
  type deleteCuratedAnswer,
  type FeedbackId,
  type getQuotedAnswer,
  type listCuratedAnswers,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { InputOf, Member } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { ChatbotsService } from '../../assistants/chatbots/index.ts';
import { CuratedAnswerFinder } from './curated-answer-finder.ts';
import type { CuratedAnswerRow } from './curated-answer.collection.ts';
import { CuratedAnswersRepository } from './curated-answers.repository.ts';

/** What a feature that knows curated answers, but is not known here, does when one is written for a case. */
type WrittenFor = (
  written: { readonly scope: OrganisationScope; readonly principal: Member; readonly feedbackId: FeedbackId },
  tx: Transaction,
) => Promise<void>;

/** An organisation's curated answers: for whoever writes them, and for whoever is shown one as a source. */
@Injectable()
export class CuratedAnswersService {
  private writtenFor: WrittenFor = () => Promise.resolve();

  constructor(
    private readonly answers: CuratedAnswersRepository,
    private readonly finder: CuratedAnswerFinder,
    private readonly chatbots: ChatbotsService,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** In the transaction that writes it. */
  whenWrittenFor(act: WrittenFor): void {
    this.writtenFor = act;
  }

  list({ scope, query }: InputOf<typeof listCuratedAnswers>): Promise<ResponseOf<typeof listCuratedAnswers>> {
    return this.answers.list(scope, query, toCurated);
  }

  /** Repeating it with the same id returns what is there. */
  async create({ scope, principal, body }: InputOf<typeof createCuratedAnswer>): Promise<CuratedAnswer> {
    const { id: _id, feedbackId, ...said } = body;
    await this.checkChatbot(scope, said.chatbotId);
    this.finder.noteOwner(scope); // Before the commit: a look too many does no harm.
    return this.work.run(principal, async (tx) => {
      const known = await this.answers.find(scope, _id, tx);
      if (known) return toCurated(known);
      const written = { _id, orgId: scope.orgId, ...said, isActive: true, ...this.writtenBy(principal), revision: 1 };
      const { row, isNew } = await this.answers.insert(scope, written, tx);
      if (isNew) {
        if (feedbackId) await this.writtenFor({ scope, principal, feedbackId }, tx);
        this.tell(tx, row, principal, 'created');
      }
      return toCurated(row);
    });
  }

  async change({ scope, principal, params, body }: InputOf<typeof changeCuratedAnswer>): Promise<CuratedAnswer> {
    const { revision, ...said } = body;
    const { curatedAnswerId: id } = params;
    await this.checkChatbot(scope, said.chatbotId);
    return this.work.run(principal, async (tx) => {
      const seen = await this.find(scope, id, tx);
      const row = await this.answers.change(scope, { id, revision }, { ...said, ...this.writtenBy(principal) }, tx);
      if (!row) throw new Problem('platform.conflict', { current: toCurated(seen) });
      this.tell(tx, row, principal, 'changed');
      return toCurated(row);
    });
  }

  async delete({ scope, principal, params }: InputOf<typeof deleteCuratedAnswer>): Promise<void> {
    await this.work.run(principal, async (tx) => {
      const row = await this.find(scope, params.curatedAnswerId, tx);
      if (await this.answers.delete(scope, row._id, tx)) this.tell(tx, row, principal, 'deleted');
    });
  }

  /** One of a chatbot that the reader may not use looks as if it were not there. */
  async quoted(input: InputOf<typeof getQuotedAnswer>): Promise<ResponseOf<typeof getQuotedAnswer>> {
    const {
      _id: id,
      chatbotId,
      questions,
      text,
      author,
      editedAt,
    } = await this.find(input.scope, input.params.curatedAnswerId);
    if (chatbotId !== null)
      await this.chatbots.choose(input, chatbotId).catch((error: unknown) => {
        throw error instanceof Problem ? new Problem('chat.curated-answer-not-found') : error;
      });
    return { id, question: questions[0] ?? '', text, by: author.name, at: editedAt.toISOString() };
  }

  private async find(scope: OrganisationScope, id: CuratedAnswerId, tx?: Transaction): Promise<CuratedAnswerRow> {
    const row = await this.answers.find(scope, id, tx);
    if (!row) throw new Problem('chat.curated-answer-not-found');
    return row;
  }

  private async checkChatbot(scope: OrganisationScope, id: CuratedAnswer['chatbotId']): Promise<void> {
    if (id !== null && !(await this.chatbots.isThere(scope, id))) throw new Problem('chat.chatbot-not-found');
  }

  private writtenBy({ userId, name }: Member) {
    return { author: { userId, name }, editedAt: this.clock.now() };
  }

  private tell(
    tx: Transaction,
    { orgId, _id: curatedAnswerId }: CuratedAnswerRow,
    { userId: by }: Member,
    change: 'created' | 'changed' | 'deleted',
  ): void {
    tx.record(answerCurated, { orgId, curatedAnswerId, by, change });
  }
}

function toCurated(row: CuratedAnswerRow): CuratedAnswer {
  const { _id: id, questions, text, chatbotId, isActive, author, editedAt, revision } = row;
  return { id, questions, text, chatbotId, isActive, author, editedAt: editedAt.toISOString(), revision };
}
