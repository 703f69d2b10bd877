import { defineRoute, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { limits } from '../../../limits/sizes.ts';
import { chatbotId, clientIdOf, conversationId, generationId, trialId } from '../../../ids.ts';
import { citation, generationStatus, thoughts, usage } from '../conversations/messages.ts';
import { generationFailure, modelKey } from '../assistants/models.ts';

/** A passage found for a question, in the order of the score. The answer refers to it as `[number]`. */
export const foundPassage = citation.extend({
  text: z.string(),
  /** How well the passage matches. Comparable within one question only. */
  score: z.number(),
});

/** The version of the chatbot that the trial asks; null: the present draft. */
const tried = z.number().int().min(0).nullable();
export const trialQuestion = z.string().trim().min(1).max(limits.messageCharacters);

/** A question to try a chatbot. It is in no list of chats and is deleted after a week. */
export const trial = z.strictObject({
  id: trialId,
  chatbotId,
  version: tried,
  question: z.string(),
  /** Billing returns the cost of the answer for this id: `GET /api/billing/my-answers`. */
  conversationId,
  generationId,
  askedBy: z.strictObject({ userId, name: z.string() }),
  askedAt: timestamp,
  status: generationStatus,
  failure: generationFailure.nullable(),
  failureDetail: z.string().nullable(),
  /** While the answer runs: the part that is stored so far. The socket sends each word (`conversation.open`). */
  text: z.string(),
  /** The model's reasoning; missing if there is none, and until the answer has ended. */
  thoughts: thoughts.optional(),
  citations: z.array(citation),
  /** Found passages, cited or not; empty until the answer has ended. */
  found: z.array(foundPassage),
  model: z.strictObject({ key: modelKey, label: z.string() }),
  usage: usage.nullable(),
  /** Times of the last attempt; null before its end. `firstTokenMs` is also null if no word came. */
  firstTokenMs: z.number().int().nullable(),
  totalMs: z.number().int().nullable(),
});
export type Trial = z.infer<typeof trial>;

const managed = { service: 'chat', scope: 'organisation', permission: 'chatbot:manage' } as const;
const one = z.strictObject({ trialId });

/** Asks a chatbot in a trial. It counts towards the caller's budgets. Idempotent by id. */
export const askTrial = defineRoute({
  ...managed,
  route: 'POST /api/chat/chatbot-drafts/:chatbotId/trials',
  cost: 'question',
  status: 202,
  params: z.strictObject({ chatbotId }),
  body: z.strictObject({ id: clientIdOf('trial'), question: trialQuestion, version: tried }),
  response: trial,
});

/** Lists the person's own trials of the last days, newest first, without those of test runs. */
export const listTrials = defineRoute({
  ...managed,
  route: 'GET /api/chat/chatbot-drafts/:chatbotId/trials',
  cost: 'read',
  params: z.strictObject({ chatbotId }),
  query: z.strictObject({ limit: z.coerce.number().int().min(1).max(20).default(20) }),
  response: z.strictObject({ items: z.array(trial) }),
});

/**
 * Returns one of the person's own trials. Trials of other people aren't found, because they can hold passages that only
 * their owner can read.
 */
export const getTrial = defineRoute({
  ...managed,
  route: 'GET /api/chat/trials/:trialId',
  cost: 'read',
  params: one,
  response: trial,
});

/** Stops a trial's answer, which keeps the text so far. An answer that has ended stays as it is. */
export const stopTrial = defineRoute({
  ...managed,
  route: 'POST /api/chat/trials/:trialId/stop',
  cost: 'write',
  params: one,
  response: z.strictObject({ status: generationStatus }),
});

export const trialRoutes = { askTrial, listTrials, getTrial, stopTrial };
