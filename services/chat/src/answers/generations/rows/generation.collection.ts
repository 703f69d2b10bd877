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
/** An ended attempt with the fields of its event, so that attempts can be counted again from these rows. */
const attempt = z.strictObject({
  attempt: count,
  outcome: z.enum(['done', 'stopped', 'failed', 'interrupted']),
  final: z.boolean(),
  /** A budget refused the attempt before a model was asked. Missing otherwise, and in rows of versions up to 0.2.0. */
  isRefused: z.boolean().optional(),
  /** The failure that ended the attempt; missing if there was none, and in rows of versions up to 0.3.0. */
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
 * Stores an answer. The document is also the queue's entry: queued → running → done | stopped | failed | interrupted.
 * `epoch` is the fencing number of the attempt with the lease. `text` is the last checkpoint, written by the attempt
 * `textEpoch`; with 0 it is the continued text, which no attempt wrote.
 */
export const generationRows = collection(
  'generations',
  {
    _id: generationId,
    orgId,
    conversationId,
    questionId: messageId,
    answerId: messageId,
    /** The chat's project when the answer was requested: the answer follows its instructions. Missing: none. */
    projectId: projectId.optional(),
    /** True if the answer's model also writes the chat's title. Missing: no. */
    givesTitle: z.boolean().optional(),
    userId,
    /** The person's groups when they asked; missing in rows of earlier versions. */
    groupIds: z.array(groupId),
    locale: z.string(),
    /** The request that asked, for traces; missing in rows of earlier versions. */
    origin: z.strictObject({ correlationId: z.string(), traceparent: z.string().nullable() }).nullable(),
    modelKey,
    modelLabel: z.string(),
    /** The chatbot when it was asked; missing, like the next two fields, in rows of earlier versions. */
    chatbot: chatbotVersionRef.extend({ name: z.string(), glyph: chatbotGlyph }).nullable(),
    /** The model to ask if the first one fails before its first word. */
    fallback: modelKey.nullable(),
    /** The failed model, once the fallback is asked. Missing, like `thoughts`, in rows of earlier versions. */
    fellBackFrom: fellBackFrom.nullable(),
    /**
     * The values for instructions, and the role when the person asked: role and groups decide what the answer can use.
     */
    asker: z.strictObject({ name: z.string(), organisationName: z.string(), role: roleKey.optional() }).nullable(),
    /**
     * Host and name of the model when it was asked; null for the built-in assistant; missing in rows of earlier
     * versions.
     */
    upstream: z.strictObject({ host: z.string(), model: z.string() }).nullable(),
    status: generationStatus,
    epoch: z.number().int(),
    /** Counts attempts that a stopping worker gave back: such attempts don't count as failed. */
    handOvers: z.number().int(),
    leaseHolder: z.string().nullable(),
    leaseUntil: z.date().nullable(),
    stopRequested: z.boolean(),
    /** The answer that this one continues, with its final text; missing in rows of earlier versions. */
    continued: z.strictObject({ answerId: messageId, text: z.string(), citations: z.array(citation) }).nullable(),
    text: z.string(),
    textEpoch: z.number().int(),
    /** Pieces of text that checkpoints added after `text` while the answer runs; missing: none. See `withWholeText`. */
    pieces: z.array(z.string()).optional(),
    /** The attempt that wrote `pieces`, and the length of the text together with them. */
    keptEpoch: count.optional(),
    keptLength: count.optional(),
    /**
     * An attempt stores here what its model was given: the estimated input tokens, and what came from the project.
     * Missing until a model is asked, and in rows of 0.3.0 and earlier; null after the text is deleted.
     */
    sent: z
      .strictObject({
        epoch: count,
        inputTokens: count,
        /** Missing: the model was given no instructions of a project. */
        projectInstructions: z.literal(true).optional(),
        /** The project knowledge that was searched. Missing: none. */
        projectKnowledge: projectKnowledge.optional(),
      })
      .nullish(),
    citations: z.array(citation),
    /** The reasoning of the last attempt, once it has ended; until then reasoning is in the live stream only. */
    thoughts: thoughts.nullable(),
    usage: usage.nullable(),
    /**
     * For a trial: its id, which finds the stored content, and the passages that were found, cited or not. Missing for
     * other answers.
     */
    trialId: trialId.optional(),
    found: z.array(foundPassage).optional(),
    /** For a program's question: its id, which finds the stored request, and whether the answer reached its limit. */
    completionId: completionId.optional(),
    isCut: z.boolean().optional(),
    /** See `imagesGiven`; set from the beginning if the answer was asked with a note. */
    images: imagesGiven.optional(),
    /** Images of the question that didn't fit beside others. Missing: none. */
    leftOut: z.array(fileId).optional(),
    attempts: z.array(attempt),
    /**
     * The answer was imported: no model was asked, and nothing is billed, counted or rated. Missing: a model was asked.
     */
    imported: z.literal(true).optional(),
    failure: generationFailure.nullable(),
    /** The reason for a lower limit than usual (`output-limit`); missing for the usual limit. */
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
/** A generation as the repository returns it, with all of its text. */
export type Generation = Omit<GenerationRow, 'pieces' | 'keptEpoch' | 'keptLength'>;
