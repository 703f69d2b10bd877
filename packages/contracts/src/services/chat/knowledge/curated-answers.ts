import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, curatedAnswerId, feedbackId } from '../../../ids.ts';

const said = {
  /** Ways to ask the question. Each is compared with a question separately. */
  questions: z.array(z.string().trim().min(3).max(500)).min(1).max(5),
  /** Markdown. */
  text: z.string().trim().min(1).max(8_000),
  /** The chatbot that gives this answer; null: all. */
  chatbotId: chatbotId.nullable(),
};
const person = z.strictObject({ userId, name: z.string() });

/** An answer that the organisation wrote for a question. */
export const curatedAnswer = z.strictObject({
  id: curatedAnswerId,
  ...said,
  /** False: answers don't use the curated answer. */
  isActive: z.boolean(),
  author: person,
  editedAt: timestamp,
  /** The revision, which grows with each change. A change names the revision that the person saw. */
  revision: z.number().int(),
});
export type CuratedAnswer = z.infer<typeof curatedAnswer>;

const read = { service: 'chat', scope: 'organisation', permission: 'feedback:read' } as const;
const managed = { ...read, permission: 'feedback:manage' } as const;
const one = z.strictObject({ curatedAnswerId });

/** Lists curated answers, newest first. `text` matches words of the questions, the last word by its beginning. */
export const listCuratedAnswers = defineRoute({
  ...read,
  route: 'GET /api/chat/curated-answers',
  cost: 'read',
  query: pageQuery.extend({ text: z.string().trim().min(1).max(100).optional() }),
  response: pageOf(curatedAnswer),
});

/**
 * Creates a curated answer. With `feedbackId`, the history of that feedback case records it. `org.limit-reached` if the
 * quota `curatedAnswers` is full.
 */
export const createCuratedAnswer = defineRoute({
  ...managed,
  route: 'POST /api/chat/curated-answers',
  cost: 'write',
  status: 201,
  body: z.strictObject({ id: curatedAnswerId, ...said, feedbackId: feedbackId.optional() }),
  response: curatedAnswer,
});

/** Changes a curated answer. `platform.conflict` with the present version if someone else changed it. */
export const changeCuratedAnswer = defineRoute({
  ...managed,
  route: 'PUT /api/chat/curated-answers/:curatedAnswerId',
  cost: 'write',
  params: one,
  body: z.strictObject({ revision: z.number().int(), ...said, isActive: z.boolean() }),
  response: curatedAnswer,
});

/** Deletes a curated answer. It isn't found any more, and answers that cite it stay as they are. */
export const deleteCuratedAnswer = defineRoute({
  ...managed,
  route: 'DELETE /api/chat/curated-answers/:curatedAnswerId',
  cost: 'write',
  status: 204,
  params: one,
});

/** Returns a curated answer as it is cited, to people who can use its chatbot. */
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

/** A curated answer changed, so lists read it again. */
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
