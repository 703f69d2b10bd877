import {
  chatbotGlyph,
  chatbotVersionRef,
  citation,
  conversationId,
  fellBackFrom,
  fileId,
  foundPassage,
  generationFailure,
  generationId,
  generationStatus,
  groupId,
  imagesGiven,
  messageId,
  modelKey,
  projectId,
  projectKnowledge,
  roleKey,
  completionId,
  thoughts,
  trialId,
  usage,
} from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

const count = z.number().int();
/** An ended attempt, as its event has it, so that attempts can be counted again from here. */
const attempt = z.strictObject({
  attempt: count,
  outcome: z.enum(['done', 'stopped', 'failed', 'interrupted']),
  final: z.boolean(),
  /** Refused by a budget before a model was asked; missing otherwise, and in rows of versions up to 0.2.0. */
  isRefused: z.boolean().optional(),
  /** The failure it ended with; missing if there was none, and in rows of versions up to 0.3.0. */
  cause: generationFailure.optional(),
  inputTokens: count,
  outputTokens: count,
  cachedTokens: count.optional(),
  estimated: z.boolean(),
  queuedMs: count,
  firstTokenMs: count.nullable(),
  durationMs: count,
  at: z.date(),
});
export type Attempt = z.infer<typeof attempt>;

/**
 * Stores an answer. The document is the queue: queued → running → done | stopped | failed | interrupted. `epoch` is the
 * fencing number of the attempt with the lease; `text` is its last checkpoint, of the attempt `textEpoch`; 0: of none,
 * it is the text that it continues.
 */
export const generationRows = collection(
  'generations',
  {
    _id: generationId,
    orgId,
    conversationId,
    questionId: messageId,
    answerId: messageId,
    /** The project of its chat when the answer was requested, whose instructions it follows. Missing: none. */
    projectId: projectId.optional(),
    /** Whether its model also writes the chat's title. Missing: no. */
    givesTitle: z.boolean().optional(),
    userId,
    /** The groups of the person at that time; missing in rows of earlier versions. */
    groupIds: z.array(groupId),
    locale: z.string(),
    /** The request that asked; missing in rows of earlier versions. */
    origin: z.strictObject({ correlationId: z.string(), traceparent: z.string().nullable() }).nullable(),
    modelKey,
    modelLabel: z.string(),
    /** The chatbot as it is then; missing, like the next two, in rows of earlier versions. */
    chatbot: chatbotVersionRef.extend({ name: z.string(), glyph: chatbotGlyph }).nullable(),
    /** The model to ask if the first one fails before its first word. */
    fallback: modelKey.nullable(),
    /** The failed model, once the fallback is asked; missing, like the reasoning, in rows of earlier versions. */
    fellBackFrom: fellBackFrom.nullable(),
    /** What instructions can name, and the role at that time: with the groups it decides what the answer can use. */
    asker: z.strictObject({ name: z.string(), organisationName: z.string(), role: roleKey.optional() }).nullable(),
    /**
     * Host and name of the model when it was requested; null for the built-in assistant; missing in rows of earlier
     * versions.
     */
    upstream: z.strictObject({ host: z.string(), model: z.string() }).nullable(),
    status: generationStatus,
    epoch: z.number().int(),
    /** Attempts that their worker gave back in order. */
    handOvers: z.number().int(),
    leaseHolder: z.string().nullable(),
    leaseUntil: z.date().nullable(),
    stopRequested: z.boolean(),
    /** The answer that this one continues, as it ended; missing in rows of earlier versions. */
    continued: z.strictObject({ answerId: messageId, text: z.string(), citations: z.array(citation) }).nullable(),
    text: z.string(),
    textEpoch: z.number().int(),
    /** What checkpoints added to `text` while it runs; missing: nothing. See `withWholeText`. */
    pieces: z.array(z.string()).optional(),
    /** The attempt whose text they continue, and its length with them. */
    keptEpoch: count.optional(),
    keptLength: count.optional(),
    /** The estimated input tokens of an attempt. Missing until its model is asked, and in rows up to 0.3.0. */
    sent: z.strictObject({ epoch: count, inputTokens: count }).optional(),
    citations: z.array(citation),
    /** The reasoning of the attempt that ended it; while it runs it is in the live stream only. */
    thoughts: thoughts.nullable(),
    usage: usage.nullable(),
    /**
     * For a trial: its content is stored with it, and what was found for it, cited or not; missing for other answers.
     */
    trialId: trialId.optional(),
    found: z.array(foundPassage).optional(),
    /** For a program's question: its request is stored with it, and whether the answer reached its limit. */
    completionId: completionId.optional(),
    isCut: z.boolean().optional(),
    /** See `imagesGiven`; set from the beginning if it was asked with a note. */
    images: imagesGiven.optional(),
    /** Images of the question without room beside others. Missing: none. */
    leftOut: z.array(fileId).optional(),
    /** What it searched of its project's knowledge, once it has ended. Missing: nothing. */
    projectKnowledge: projectKnowledge.optional(),
    attempts: z.array(attempt),
    /** It was imported: no model was asked, and nothing is billed, counted or rated. Missing: a model was asked. */
    imported: z.literal(true).optional(),
    failure: generationFailure.nullable(),
    /** Why its limit was lower than usual (`output-limit`); missing if it wasn't. */
    limitedBy: z.literal('budget').optional(),
    failureDetail: z.string().nullable(),
    queuedAt: z.date(),
    startedAt: z.date().nullable(),
    firstTokenAt: z.date().nullable(),
    resumedAt: z.date().nullable(),
    finishedAt: z.date().nullable(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { status: 1, queuedAt: 1 },
      { status: 1, orgId: 1, userId: 1, queuedAt: 1 },
    ],
  },
);
export type GenerationRow = RowOf<typeof generationRows>;
/** A generation as it is read, with all of its text. */
export type Generation = Omit<GenerationRow, 'pieces' | 'keptEpoch' | 'keptLength'>;
