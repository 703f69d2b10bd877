import { defineEvent, defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { generationId } from '../../../ids.ts';
import { auditValues, changesBetween } from '../../../events/audit.ts';
import { generationStatus } from '../conversations/messages.ts';

/**
 * Somebody who may stop everybody's answers stops one; it ends as `stopped` with the text so far. The first stop is told
 * to the audit log; harmless when it has ended already. 404 `chat.generation-not-found`.
 */
export const stopAnyGeneration = defineRoute({
  service: 'chat',
  scope: 'organisation',
  permission: 'generation:stop_any',
  cost: 'write',
  route: 'POST /api/chat/running-answers/:generationId/stop',
  status: 202,
  params: z.strictObject({ generationId }),
  response: z.strictObject({ status: generationStatus }),
});

/** How far answers of an organisation are; those that have ended are not in it. */
export const getProgress = defineRoute({
  service: 'chat',
  scope: 'internal',
  route: 'POST /internal/chat/organisations/:orgId/progress',
  params: z.strictObject({ orgId }),
  body: z.strictObject({ generationIds: z.array(generationId).max(100) }),
  response: z.strictObject({
    items: z.array(
      z.strictObject({
        generationId,
        status: z.enum(['queued', 'running']),
        firstTokenAt: timestamp.nullable(),
        /** When this attempt began. */
        startedAt: timestamp.nullable(),
        /** Estimated from the text of the last second. */
        outputTokens: z.number().int(),
      }),
    ),
  }),
});

/** Says how many answers a process writes at the same time: in all, of a flow, of a person. */
export const answerSlots = z.strictObject({
  all: z.number().int(),
  ofFlow: z.number().int(),
  ofPerson: z.number().int(),
});
export type AnswerSlots = z.infer<typeof answerSlots>;

/** The slots of the process that answers; null where that writes no answers. */
export const getAnswerSlots = defineRoute({
  service: 'chat',
  scope: 'internal',
  route: 'GET /internal/chat/answer-slots',
  response: z.strictObject({ slots: answerSlots.nullable() }),
});

/** Somebody stopped an answer that is another person's, or their own, by the right to stop everybody's. */
export const generationStopRequested = defineEvent('generation.stop-requested.v1', 'chat', {
  data: z.object({
    orgId,
    generationId,
    by: userId,
    /** Who had asked. */
    userId,
    model: z.string(),
  }),
  key: 'generationId',
  live: null,
  audit: ({ by, userId: id, model }) => ({
    act: 'answer.stopped',
    by,
    target: { of: 'person', id, name: null },
    changes: changesBetween({ model: auditValues.model(model) }, null),
  }),
});

export const runningRoutes = { stopAnyGeneration, getProgress, getAnswerSlots };
