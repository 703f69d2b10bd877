import { Injectable } from '@nestjs/common';
import {
  dayAt,
  isCut,
  ledgerEntryAdded,
  mostAnswerCosts,
  mostUsageEntries,
  type embeddingEnded,
  type GenerationId,
  type generationAttemptEnded,
  type getMyUsage,
  type listMyAnswers,
  type getSpendToday,
  type titleEnded,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { newId } from '@parley/platform/ids';
import { jobScope, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import type { DataOf, EventEnvelope, ResponseOf } from '@parley/protocol';
import { BudgetSettlement } from '../budgets/index.ts';
import { costOf, RatesRepository, type Tokens } from '../rates/index.ts';
import { answerCosts } from './answer-costs.ts';
import { ledgerEntryRows, spendDayRows, type LedgerEntryRow } from '../entries/index.ts';
import { entryTold, isTold } from './ledger.snapshots.ts';
import { spendChatbotRows } from './spend-chatbot.collection.ts';
import { spendPersonRows } from './spend-person.collection.ts';
import { addedBy, noSums, sumOf, type Sums } from './spend.ts';
import { aroundMonth, usageByDay } from './usage.ts';

const pricing = jobScope('what people have used is in one currency');

type Asked = { readonly upstream: DataOf<typeof generationAttemptEnded>['upstream']; readonly at: Date };
type Price = Pick<LedgerEntryRow, 'costMicros' | 'rateId' | 'currency'>;
/** What is written down as it was told; the rest of an entry follows. */
type Ended = Omit<LedgerEntryRow, '_id' | 'at' | 'day' | 'excess' | keyof Price>;
type How = Pick<Asked, 'upstream'> & {
  readonly groupIds: readonly string[];
  readonly time: string;
  readonly tx: Transaction;
};

@Injectable()
export class LedgerService {
  private readonly entries: Rows<typeof ledgerEntryRows>;
  private readonly days: Rows<typeof spendDayRows>;
  private readonly people: Rows<typeof spendPersonRows>;
  private readonly chatbots: Rows<typeof spendChatbotRows>;

  constructor(
    mongo: Mongo,
    private readonly rates: RatesRepository,
    private readonly budgets: BudgetSettlement,
    private readonly clock: Clock,
  ) {
    this.entries = mongo.rows(ledgerEntryRows);
    this.days = mongo.rows(spendDayRows);
    this.people = mongo.rows(spendPersonRows);
    this.chatbots = mongo.rows(spendChatbotRows);
  }

  /** Writes nothing when the entry of the attempt is there, nor of what was refused: that only frees what was held for it. */
  async append(
    scope: OrganisationScope,
    { data, time }: EventEnvelope<DataOf<typeof generationAttemptEnded>>,
    tx: Transaction,
  ): Promise<void> {
    const { orgId, generationId, attempt, conversationId, userId, model, estimated, outcome, chatbot } = data;
    const { inputTokens, outputTokens, cachedTokens = 0, groupIds = [], upstream, isRefused, cause } = data;
    if (isRefused) {
      const use = { userId, groupIds, model, chatbotId: chatbot?.id ?? null };
      const id = `${generationId}:${attempt}`;
      await this.budgets.settle(scope, { id, use, amount: { costMicros: 0, tokens: 0 }, at: new Date(time) }, tx);
      return;
    }
    const what: Ended = {
      orgId,
      kind: 'answer',
      generationId,
      attempt,
      conversationId,
      userId,
      model,
      chatbotId: chatbot?.id ?? null,
      chatbotVersion: chatbot?.version ?? null,
      inputTokens,
      outputTokens,
      cachedTokens,
      estimated,
      outcome: isCut(cause) ? 'cut' : outcome,
    };
    await this.write(scope, what, { upstream, groupIds, time, tx });
  }

  /** Writes nothing when its entry is there. */
  async appendEmbedding(
    scope: OrganisationScope,
    { data, time }: EventEnvelope<DataOf<typeof embeddingEnded>>,
    tx: Transaction,
  ): Promise<void> {
    const { embeddingId, groupIds, upstream, purpose: _purpose, endedAt: _endedAt, ...told } = data;
    const what: Ended = {
      ...told,
      kind: 'embedding',
      host: upstream.host,
      generationId: embeddingId,
      attempt: 1,
      conversationId: null,
      chatbotVersion: null,
      outputTokens: 0,
      cachedTokens: 0,
    };
    await this.write(scope, what, { upstream, groupIds, time, tx });
  }

  /** Writes nothing when its entry is there. Titles are no answers: what a chat's answers have cost doesn't have them. */
  async appendTitle(
    scope: OrganisationScope,
    { data, time }: EventEnvelope<DataOf<typeof titleEnded>>,
    tx: Transaction,
  ): Promise<void> {
    const { conversationId: _ofAnswers, groupIds, upstream, endedAt: _endedAt, ...rest } = data;
    const { memberIds: _toldTo, sequence: _ofChat, ...told } = rest;
    const what: Ended = {
      ...told,
      kind: 'title',
      host: upstream.host,
      attempt: 1,
      conversationId: null,
      chatbotVersion: null,
    };
    await this.write(scope, what, { upstream, groupIds, time, tx });
  }

  private async write(scope: OrganisationScope, what: Ended, { upstream, groupIds, time, tx }: How): Promise<void> {
    const { generationId, attempt, userId, model, chatbotId, inputTokens, outputTokens } = what;
    const at = new Date(time);
    const price = await this.priceOf(what, { upstream, at });
    const used = {
      id: `${generationId}:${attempt}`,
      use: { userId, groupIds, model, chatbotId },
      amount: { costMicros: price.costMicros ?? 0, tokens: inputTokens + outputTokens },
      at,
    };
    const sheet = await this.budgets.open(scope, tx);
    const entry: LedgerEntryRow = {
      _id: newId('ledgerEntry'),
      ...what,
      at,
      ...price,
      excess: null,
      day: time.slice(0, 10),
      ...(sheet && { zoneDay: dayAt(at, sheet.timeZone) }),
    };
    const entries = this.entries.within(scope, tx);
    if (!(await entries.insertUnless({ generationId, attempt }, entry))) return;
    const excess = sheet && (await this.budgets.settleOn(sheet, used, { scope, tx }));
    if (excess) await entries.update({ _id: entry._id }, { $set: { excess } });
    if (isTold(entry)) tx.record(ledgerEntryAdded, entryTold(entry), { sequence: 1 });
    await this.addUp(scope, entry, { host: upstream?.host ?? null, tx });
  }

  private async addUp(
    scope: OrganisationScope,
    entry: LedgerEntryRow,
    { host, tx }: { readonly host: string | null; readonly tx: Transaction },
  ): Promise<void> {
    const { model, userId, chatbotId } = entry;
    for (const { id, period: day, sums: $inc } of addedBy('days', entry))
      await this.days
        .within(scope, tx)
        .later.upsert({ _id: id }, { $set: { host }, $setOnInsert: { day, model }, $inc });
    for (const { id, period: month, sums: $inc } of addedBy('people', entry))
      await this.people.within(scope, tx).later.upsert({ _id: id }, { $setOnInsert: { month, userId: userId! }, $inc });
    for (const { id, period: month, sums: $inc } of addedBy('chatbots', entry))
      await this.chatbots
        .within(scope, tx)
        .later.upsert({ _id: id }, { $setOnInsert: { month, chatbotId: chatbotId! }, $inc });
  }

  /** By the rate that held when the attempt ended; the built-in assistant costs nothing. */
  private async priceOf(tokens: Tokens, { upstream, at }: Asked): Promise<Price> {
    if (upstream === null) return { costMicros: 0, rateId: null, currency: null };
    const held = upstream && (await this.rates.holding(upstream, at));
    if (!held) return { costMicros: null, rateId: null, currency: null };
    return { costMicros: costOf(tokens, held.rate), rateId: held.rate._id, currency: held.currency };
  }

  /** Of the newest attempts. */
  async myAnswers({
    scope,
    principal,
    query,
  }: InputOf<typeof listMyAnswers>): Promise<ResponseOf<typeof listMyAnswers>> {
    const { conversationId } = query;
    const entries = await this.entries
      .within(scope)
      .find({ conversationId, userId: principal.userId }, { sort: { at: -1 }, limit: mostAnswerCosts });
    return { items: answerCosts(entries as readonly (LedgerEntryRow & { generationId: GenerationId })[]) };
  }

  /** Adds up the totals of today in the budgets' time zone. */
  async spendToday({ scope, params }: InputOf<typeof getSpendToday>): Promise<ResponseOf<typeof getSpendToday>> {
    const own = scope.in(params.orgId);
    const timeZone = (await this.budgets.knownTimeZone(own)) ?? 'UTC';
    const rows = await this.days.within(own).find({ day: dayAt(this.clock.now(), timeZone) });
    const { moneyMicros: costMicros, unpricedAttempts } = rows.reduce<Sums>((sum, row) => sumOf(sum, row), noSums);
    return { costMicros, unpricedAttempts, currency: await this.rates.currency(scope) };
  }

  /** Of more entries than one answer adds up the earliest count. */
  async myUsage({ scope, principal, query }: InputOf<typeof getMyUsage>): Promise<ResponseOf<typeof getMyUsage>> {
    const { from, to } = aroundMonth(query.month);
    const entries = await this.entries
      .within(scope)
      .find(
        { userId: principal.userId, at: { $gte: from, $lt: to } },
        {
          sort: { at: 1 },
          limit: mostUsageEntries + 1,
          fields: ['at', 'day', 'kind', 'model', 'inputTokens', 'outputTokens', 'costMicros', 'generationId'],
        },
      );
    return {
      days: usageByDay(entries.slice(0, mostUsageEntries), query),
      isCut: entries.length > mostUsageEntries,
      currency: await this.rates.currency(pricing),
    };
  }
}
