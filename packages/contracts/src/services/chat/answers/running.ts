import { defineEvent, defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { generationId } from '../../../ids.ts';
import { auditValues, changesBetween } from '../../../events/audit.ts';
import { generationStatus } from '../conversations/messages.ts';

/**
 * Stops anyone's answer; needs a permission of its own. The answer ends as `stopped` with the text so far. The audit
 * log has the first stop; stopping an ended answer does nothing. 404 `chat.generation-not-found`.
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

/** Returns the progress of running answers of an organisation. Ended ones are left out. */
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
        /** Estimated from the answer's text so far, which is at most a second old. */
        outputTokens: z.number().int(),
      }),
    ),
  }),
});

/**
 * Limits the answers that a process writes at the same time: in all, per flow (the share of capacity that an
 * organisation belongs to), per person.
 */
export const answerSlots = z.strictObject({
  all: z.number().int(),
  ofFlow: z.number().int(),
  ofPerson: z.number().int(),
});
export type AnswerSlots = z.infer<typeof answerSlots>;

/** Returns the slots of the process that responds; null if it writes no answers. */
export const getAnswerSlots = defineRoute({
  service: 'chat',
  scope: 'internal',
  route: 'GET /internal/chat/answer-slots',
  response: z.strictObject({ slots: answerSlots.nullable() }),
});

/** A person used the permission to stop anyone's answer. */
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
