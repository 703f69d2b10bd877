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
/** An attempt that has ended, as its event told it: what counts attempts can be counted again from here. */
const attempt = z.strictObject({
  attempt: count,
  outcome: z.enum(['done', 'stopped', 'failed', 'interrupted']),
  final: z.boolean(),
  /** Refused for its budget before a model was asked; absent of any other, and in what versions up to 0.2.0 have written. */
  isRefused: z.boolean().optional(),
  /** The failure it ended with; absent where it had none, and in what versions up to 0.3.0 have written. */
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
 * The generation document is the queue: queued → running → done | stopped | failed | interrupted. `epoch` is the
 * fencing number of the attempt that holds the lease; `text` is its last checkpoint, `textEpoch` says of which attempt:
 * 0 of none, which is the text that it continues.
 */
export const generationRows = collection(
  'generations',
  {
    _id: generationId,
    orgId,
    conversationId,
    questionId: messageId,
    answerId: messageId,
    /** Names the project of its chat when the answer was asked for; the answer follows its instructions. Absent: none. */
    projectId: projectId.optional(),
    /** Its model names the chat, too. Absent: no. */
    givesTitle: z.boolean().optional(),
    userId,
    /** Those that the asker was in then; absent in what earlier versions have written. */
    groupIds: z.array(groupId),
    locale: z.string(),
    /** The request that asked; absent in what earlier versions have written. */
    origin: z.strictObject({ correlationId: z.string(), traceparent: z.string().nullable() }).nullable(),
    modelKey,
    modelLabel: z.string(),
    /** Which chatbot answers, as it is then; absent, as are the next two, in what earlier versions have written. */
    chatbot: chatbotVersionRef.extend({ name: z.string(), glyph: chatbotGlyph }).nullable(),
    /** Asked where the model fails before its first word. */
    fallback: modelKey.nullable(),
    /** Which one has failed, once the fallback is asked; absent, as are the thoughts, in what earlier versions have written. */
    fellBackFrom: fellBackFrom.nullable(),
    /** What instructions may name, and the role of then: with the groups it says what the answer may draw on. */
    asker: z.strictObject({ name: z.string(), organisationName: z.string(), role: roleKey.optional() }).nullable(),
    /** Host and name of what is asked, as when it was asked for; null is the built-in assistant; absent in what earlier versions have written. */
    upstream: z.strictObject({ host: z.string(), model: z.string() }).nullable(),
    status: generationStatus,
    epoch: z.number().int(),
    /** Attempts that their worker gave back in order. */
    handOvers: z.number().int(),
    leaseHolder: z.string().nullable(),
    leaseUntil: z.date().nullable(),
    stopRequested: z.boolean(),
    /** The answer that this one goes on from, as it ended; absent in what earlier versions have written. */
    continued: z.strictObject({ answerId: messageId, text: z.string(), citations: z.array(citation) }).nullable(),
    text: z.string(),
    textEpoch: z.number().int(),
    /** While it is written, what checkpoints have added to `text`; absent: nothing. See `withWholeText`. */
    pieces: z.array(z.string()).optional(),
    /** The attempt whose text they go on with, and how long that is with them. */
    keptEpoch: count.optional(),
    keptLength: count.optional(),
    /** Estimates the input tokens that an attempt has sent. Absent until its model is asked, and in rows up to 0.3.0. */
    sent: z.strictObject({ epoch: count, inputTokens: count }).optional(),
    citations: z.array(citation),
    /** Of the attempt that has ended it: while it runs they are in its live stream only. */
    thoughts: thoughts.nullable(),
    usage: usage.nullable(),
    /** Of a trial: its content is kept with it, and what was found for it, cited or not; absent of any other answer. */
    trialId: trialId.optional(),
    found: z.array(foundPassage).optional(),
    /** Of a program's question: what it asked for is kept with that, and whether the answer reached what it may be. */
    completionId: completionId.optional(),
    isCut: z.boolean().optional(),
    /** See `imagesGiven`; from the beginning where it was asked for with a note. */
    images: imagesGiven.optional(),
    /** Images of the question that had no room beside others. Absent: none. */
    leftOut: z.array(fileId).optional(),
    /** Says what it searched of the knowledge of its project, once it has ended. Absent: nothing. */
    projectKnowledge: projectKnowledge.optional(),
    attempts: z.array(attempt),
    /** It came from an export: no model was asked, and nothing is billed, counted or rated. Absent: one was. */
    imported: z.literal(true).optional(),
    failure: generationFailure.nullable(),
    /** Why its limit was lower than others' (`output-limit`); absent where it was not. */
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
/** As it is read: with all of its text. */
export type Generation = Omit<GenerationRow, 'pieces' | 'keptEpoch' | 'keptLength'>;
