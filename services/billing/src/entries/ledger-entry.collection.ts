import {
  chatbotId,
  conversationId,
  currency,
  embeddingId,
  generationId,
  ledgerEntryId,
  rateId,
} from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** Append only: one entry per attempt of an answer, per embedding and per title, however often its event comes. */
export const ledgerEntryRows = collection(
  'ledger_entries',
  {
    _id: ledgerEntryId,
    orgId,
    /** Absent in what versions without embeddings have written: of an answer. */
    kind: z.enum(['answer', 'embedding', 'title']),
    /** Of an embedding and of a title that has its own id. */
    generationId: generationId.or(embeddingId),
    attempt: z.number(),
    /** Null of an embedding. */
    conversationId: conversationId.nullable(),
    /** Null of passages' embeddings: nobody asked. */
    userId: userId.nullable(),
    model: z.string(),
    /** Where an embedding or a title was asked for. Absent of answers: their attempts are told again by themselves. */
    host: z.string().optional(),
    /** Null, or absent in what versions without chatbots have written, where none is named. */
    chatbotId: chatbotId.nullable(),
    chatbotVersion: z.number().int().nullable(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    cachedTokens: z.number(),
    estimated: z.boolean(),
    /** Cut answers have failed in what versions up to 0.3.0 have written. */
    outcome: z.enum(['done', 'stopped', 'cut', 'failed', 'interrupted']),
    /** Null is unpriced. */
    costMicros: z.number().nullable(),
    rateId: rateId.nullable(),
    currency: currency.nullable(),
    /** So much more than was held for it; null also where nothing was. Absent in what versions without budgets have written. */
    excess: z.strictObject({ costMicros: z.number(), tokens: z.number() }).nullable(),
    at: z.date(),
    /**
     * That of `at` in UTC, to whose totals it was added. Absent in what versions without rates have written, as are the
     * cached tokens, rate and currency: its cost of 0 says nothing, and it is in no totals.
     */
    day: z.iso.date(),
    /**
     * The day of `at` in the budgets' time zone: its money is in the totals of this day. Absent in entries of versions up
     * to 0.3.0 and while the zone is unknown: their money is in the totals of `day`.
     */
    zoneDay: z.iso.date().optional(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { orgId: 1, at: -1 },
      { orgId: 1, day: 1, model: 1 },
      { userId: 1, orgId: 1, at: 1 },
      { orgId: 1, model: 1, at: -1 },
      { orgId: 1, chatbotId: 1, at: -1 },
      { orgId: 1, outcome: 1, at: -1 },
      { conversationId: 1, userId: 1, at: -1 },
      [{ orgId: 1, generationId: 1, attempt: 1 }, { unique: true }],
    ],
  },
);
export type LedgerEntryRow = RowOf<typeof ledgerEntryRows>;
