import { Injectable } from '@nestjs/common';
import type { LedgerEntry, listLedgerEntries } from '@parley/contracts';
import { Mongo, type Rows } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Problem, type ResponseOf } from '@parley/protocol';
import { OrganisationCalls } from '../organisation/index.ts';
import { ledgerEntryRows, type LedgerEntryRow } from '../entries/index.ts';
import { isAnswer } from './spend.ts';

@Injectable()
export class LedgerListService {
  private readonly entries: Rows<typeof ledgerEntryRows>;

  constructor(
    mongo: Mongo,
    private readonly organisations: OrganisationCalls,
  ) {
    this.entries = mongo.rows(ledgerEntryRows);
  }

  /** Newest first. */
  async list({
    scope,
    principal,
    query,
  }: InputOf<typeof listLedgerEntries>): Promise<ResponseOf<typeof listLedgerEntries>> {
    const isNamed = principal.organisation?.permissions.includes('usage:read_person') ?? false;
    if (query.userId && !isNamed) throw new Problem('platform.forbidden', { permission: 'usage:read_person' });
    const { from, until, generationId, model, chatbotId, userId, outcome, ...page } = query;
    const at = { ...(from && { $gte: new Date(from) }), ...(until && { $lt: new Date(until) }) };
    const where = {
      ...((from ?? until) && { at }),
      ...(generationId && { generationId }),
      ...(model && { model }),
      ...(chatbotId && { chatbotId }),
      ...(userId && { userId }),
      ...(outcome && { outcome }),
    };
    const order = { by: { at: -1 }, hasFewTies: true } as const;
    const found = await this.entries.within(scope).page(page, { ...order, where, to: toLedgerEntry });
    if (!isNamed) return { ...found, items: found.items.map((entry) => ({ ...entry, userId: null, name: null })) };
    const names = await this.organisations.namesFor(
      principal,
      found.items.flatMap(({ userId: id }) => id ?? []),
    );
    return {
      ...found,
      items: found.items.map((entry) => ({ ...entry, name: (entry.userId && names.get(entry.userId)) ?? null })),
    };
  }
}

/** An entry of a version without rates says that it cost nothing, which nobody knows. */
function toLedgerEntry({ _id, orgId: _orgId, day, at, excess: _excess, ...row }: LedgerEntryRow): LedgerEntry {
  const { chatbotId, chatbotVersion, kind, host: _host, zoneDay: _zoneDay, generationId, ...entry } = row;
  const isOld = (day as string | undefined) === undefined;
  const unpriced = { cachedTokens: 0, costMicros: null, rateId: null, currency: null };
  return {
    id: _id,
    ...entry,
    kind: kind ?? 'answer',
    generationId: isAnswer(kind) ? (generationId as LedgerEntry['generationId']) : null,
    chatbot: chatbotId ? { id: chatbotId, version: chatbotVersion ?? 0 } : null,
    ...(isOld && unpriced),
    at: at.toISOString(),
  };
}
