import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, curatedAnswerId, feedbackId } from '../../../ids.ts';

const said = {
  /** Ways in which people ask for it; each is compared by itself. */
  questions: z.array(z.string().trim().min(3).max(500)).min(1).max(5),
  /** Markdown. */
  text: z.string().trim().min(1).max(8_000),
  /** Of which chatbot it is an answer; null of each one. */
  chatbotId: chatbotId.nullable(),
};
const person = z.strictObject({ userId, name: z.string() });

/** What an organisation wants to be said where it is asked for it. */
export const curatedAnswer = z.strictObject({
  id: curatedAnswerId,
  ...said,
  /** Found only while it is. */
  isActive: z.boolean(),
  author: person,
  editedAt: timestamp,
  /** Grows with each change: changes name the one that was seen. */
  revision: z.number().int(),
});
export type CuratedAnswer = z.infer<typeof curatedAnswer>;

const read = { service: 'chat', scope: 'organisation', permission: 'feedback:read' } as const;
const managed = { ...read, permission: 'feedback:manage' } as const;
const one = z.strictObject({ curatedAnswerId });

/** Newest first; `text` filters by the words of questions, the last one by its beginning. */
export const listCuratedAnswers = defineRoute({
  ...read,
  route: 'GET /api/chat/curated-answers',
  cost: 'read',
  query: pageQuery.extend({ text: z.string().trim().min(1).max(100).optional() }),
  response: pageOf(curatedAnswer),
});

/** With `feedbackId` it stands in that case that it was written. When the quota `curatedAnswers` is full: `org.limit-reached`. */
export const createCuratedAnswer = defineRoute({
  ...managed,
  route: 'POST /api/chat/curated-answers',
  cost: 'write',
  status: 201,
  body: z.strictObject({ id: curatedAnswerId, ...said, feedbackId: feedbackId.optional() }),
  response: curatedAnswer,
});

/** `platform.conflict` with the current one where somebody else has changed it since. */
export const changeCuratedAnswer = defineRoute({
  ...managed,
  route: 'PUT /api/chat/curated-answers/:curatedAnswerId',
  cost: 'write',
  params: one,
  body: z.strictObject({ revision: z.number().int(), ...said, isActive: z.boolean() }),
  response: curatedAnswer,
});

/** It is found no more; answers that cite it stay as they are. */
export const deleteCuratedAnswer = defineRoute({
  ...managed,
  route: 'DELETE /api/chat/curated-answers/:curatedAnswerId',
  cost: 'write',
  status: 204,
  params: one,
});

/** One as it is cited: for whoever may use its chatbot. */
export const getQuotedAnswer = defineRoute({
  ...read,
  permission: 'chat:read',
  cost: 'read',
  route: 'GET /api/chat/quoted-answers/:curatedAnswerId',
  params: one,
  response: z.strictObject({
    id: curatedAnswerId,
    question: z.string(),
    text: z.string(),
    by: z.string(),
    at: timestamp,
  }),
});

/** Lists read it again. */
export const answerCurated = defineEvent('answer.curated.v1', 'chat', {
  data: z.object({ orgId, curatedAnswerId, by: userId, change: z.enum(['created', 'changed', 'deleted']) }),
  key: 'orgId',
  live: { room: 'organisation', permission: 'feedback:read', resources: ['curated-answers'] },
  audit: ({ curatedAnswerId: id, by, change }) => ({
    act: `curated-answer.${change}`,
    by,
    target: { of: 'curated-answer', id, name: null },
  }),
  outside: ['curatedAnswerId', 'change'],
});

export const curatedAnswerRoutes = {
  listCuratedAnswers,
  createCuratedAnswer,
  changeCuratedAnswer,
  deleteCuratedAnswer,
  getQuotedAnswer,
};
