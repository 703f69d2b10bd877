import { Injectable } from '@nestjs/common';
import type { ChatbotId, CuratedAnswer, CuratedAnswerId } from '@parley/contracts';
import {
  jobScope,
  Mongo,
  type OrganisationScope,
  type Page,
  type PageQuery,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { searchKeys, searchScope, wordFilter } from '@parley/platform/text';
import { curatedAnswerQuota } from './curated-answer-quota.ts';
import { curatedAnswerRows, type CuratedAnswerRow, type NewCuratedAnswer } from './curated-answer.collection.ts';

const looking = jobScope('which organisations have curated answers is known before anybody asks');

type Said = Pick<CuratedAnswerRow, 'questions' | 'text' | 'chatbotId' | 'isActive' | 'author' | 'editedAt'>;

/** Curated answers, found by the words of their questions. */
@Injectable()
export class CuratedAnswersRepository {
  private readonly rows: Rows<typeof curatedAnswerRows>;
  private readonly quotas: Quotas;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(curatedAnswerRows);
    this.quotas = new Quotas(mongo);
  }

  /** Newest first. */
  list(
    scope: OrganisationScope,
    { text, ...query }: PageQuery & { readonly text?: string | undefined },
    to: (row: CuratedAnswerRow) => CuratedAnswer,
  ): Promise<Page<CuratedAnswer>> {
    const words = text === undefined ? null : wordFilter('searchKeys', text);
    const where = words ? { searchScope: searchScope(scope.orgId), ...words } : {};
    return this.rows.within(scope).page(query, { by: { _id: -1 }, where, to });
  }

  find(scope: OrganisationScope, id: CuratedAnswerId, tx?: Transaction): Promise<CuratedAnswerRow | null> {
    return this.rows.within(scope, tx).findById(id);
  }

  count(scope: OrganisationScope): Promise<number> {
    return this.rows.within(scope).count({});
  }

  /** How many are asked for with the word. */
  countOf(scope: OrganisationScope, term: string): Promise<number> {
    return this.rows.within(scope).count(holding(scope, term));
  }

  /** Some that are asked for with the word, of this chatbot or of each one. */
  listOf(
    scope: OrganisationScope,
    { term, chatbotId, limit }: { term: string; chatbotId: ChatbotId; limit: number },
  ): Promise<CuratedAnswerRow[]> {
    const where = { ...holding(scope, term), isActive: true, chatbotId: { $in: [chatbotId, null] } };
    return this.rows.within(scope).find(where, { sort: { _id: -1 }, limit });
  }

  async insert(
    scope: OrganisationScope,
    row: Omit<NewCuratedAnswer, 'searchScope' | 'searchKeys'>,
    tx: Transaction,
  ): Promise<{ readonly row: CuratedAnswerRow; readonly isNew: boolean }> {
    const stored = await this.rows.within(scope, tx).insertOnce({ ...row, ...foundBy(scope, row) });
    if (stored.isNew) await this.quotas.admit(scope, tx, { ...curatedAnswerQuota, unseen: 1 });
    return stored;
  }

  /** Null where another revision is there. */
  change(
    scope: OrganisationScope,
    { id, revision }: { id: CuratedAnswerId; revision: number },
    set: Said,
    tx: Transaction,
  ): Promise<CuratedAnswerRow | null> {
    return this.rows
      .within(scope, tx)
      .change({ _id: id, revision }, { $set: { ...set, ...foundBy(scope, set) }, $inc: { revision: 1 } });
  }

  /** False when it is gone already. */
  delete(scope: OrganisationScope, id: CuratedAnswerId, tx: Transaction): Promise<boolean> {
    return this.rows.within(scope, tx).delete({ _id: id });
  }

  /** Whose there are. */
  async owners(): Promise<string[]> {
    return (await this.rows.within(looking).find({}, { fields: ['orgId'] })).map(({ orgId }) => orgId);
  }
}

const holding = ({ orgId }: OrganisationScope, term: string) => ({ searchScope: searchScope(orgId), searchKeys: term });

const foundBy = ({ orgId }: OrganisationScope, { questions }: Pick<Said, 'questions'>) => ({
  searchScope: searchScope(orgId),
  searchKeys: searchKeys(questions.join('\n')),
});
