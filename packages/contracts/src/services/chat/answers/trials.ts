import { defineRoute, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { limits } from '../../../limits/sizes.ts';
import { chatbotId, clientIdOf, conversationId, generationId, trialId } from '../../../ids.ts';
import { citation, generationStatus, thoughts, usage } from '../conversations/messages.ts';
import { generationFailure, modelKey } from '../assistants/models.ts';

/** What a search has found for a question, in the order of its score; the answer refers to it as `[number]`. */
export const foundPassage = citation.extend({
  text: z.string(),
  /** How well it fits, comparable within one question only. */
  score: z.number(),
});

/** A question is asked of the draft as it is now (null), or of a version that was published. */
const tried = z.number().int().min(0).nullable();
export const trialQuestion = z.string().trim().min(1).max(limits.messageCharacters);

/** One question, asked to see what a chatbot makes of it: in nobody's list of chats, and gone after a week. */
export const trial = z.strictObject({
  id: trialId,
  chatbotId,
  version: tried,
  question: z.string(),
  /** Under which billing says what the answer has cost: `GET /api/billing/my-answers`. */
  conversationId,
  generationId,
  askedBy: z.strictObject({ userId, name: z.string() }),
  askedAt: timestamp,
  status: generationStatus,
  failure: generationFailure.nullable(),
  failureDetail: z.string().nullable(),
  /** As far as it is kept, while it is being written; each word of it comes by the socket (`conversation.open`). */
  text: z.string(),
  /** What the model thought before; absent where there is nothing, and until the answer has ended. */
  thoughts: thoughts.optional(),
  citations: z.array(citation),
  /** Cited or not; empty until the answer has ended. */
  found: z.array(foundPassage),
  model: z.strictObject({ key: modelKey, label: z.string() }),
  usage: usage.nullable(),
  /** Of the last attempt; null before its end, the first also where there was no word. */
  firstTokenMs: z.number().int().nullable(),
  totalMs: z.number().int().nullable(),
});
export type Trial = z.infer<typeof trial>;

const managed = { service: 'chat', scope: 'organisation', permission: 'chatbot:manage' } as const;
const one = z.strictObject({ trialId });

/** It counts to the asker's budgets like any question. Repeating it with the same id returns what is there. */
export const askTrial = defineRoute({
  ...managed,
  route: 'POST /api/chat/chatbot-drafts/:chatbotId/trials',
  cost: 'question',
  status: 202,
  params: z.strictObject({ chatbotId }),
  body: z.strictObject({ id: clientIdOf('trial'), question: trialQuestion, version: tried }),
  response: trial,
});

/** My own of the last days, newest first, without those of test runs. */
export const listTrials = defineRoute({
  ...managed,
  route: 'GET /api/chat/chatbot-drafts/:chatbotId/trials',
  cost: 'read',
  params: z.strictObject({ chatbotId }),
  query: z.strictObject({ limit: z.coerce.number().int().min(1).max(20).default(20) }),
  response: z.strictObject({ items: z.array(trial) }),
});

/** Somebody else's is not found: it may hold passages that only its asker may read. */
export const getTrial = defineRoute({
  ...managed,
  route: 'GET /api/chat/trials/:trialId',
  cost: 'read',
  params: one,
  response: trial,
});

/** The answer ends with the text so far. Harmless when it has ended already. */
export const stopTrial = defineRoute({
  ...managed,
  route: 'POST /api/chat/trials/:trialId/stop',
  cost: 'write',
  params: one,
  response: z.strictObject({ status: generationStatus }),
});

export const trialRoutes = { askTrial, listTrials, getTrial, stopTrial };
