import {
  chatbotContent,
  chatbotId,
  chatbotTestId,
  groupId,
  roleKey,
  testExpectation,
  testResult,
  testRunId,
  testRunSummary,
} from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** Stores a question with the expected result. */
export const testRows = collection(
  'chatbot_tests',
  {
    _id: chatbotTestId,
    orgId,
    chatbotId,
    revision: z.number().int(),
    question: z.string(),
    expects: testExpectation,
    editedAt: z.date(),
    editedBy: z.strictObject({ userId, name: z.string() }),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ chatbotId: 1, _id: 1 }] },
);
export type TestRow = RowOf<typeof testRows>;

const result = testResult.extend({ expects: testExpectation });

/**
 * Stores a run of all tests of a chatbot, with one state of the chatbot's content. Ids of questions are derived from
 * run and test, so a process that takes the run over asks nothing twice.
 */
export const testRunRows = collection(
  'chatbot_test_runs',
  {
    _id: testRunId,
    orgId,
    chatbotId,
    version: z.number().int().nullable(),
    /** The number of the tested version; for a draft, the number that its publishing would give it. */
    number: z.number().int(),
    content: chatbotContent,
    contentHash: z.string(),
    /** The person in whose name the run asks. */
    asker: z.strictObject({
      userId,
      groupIds: z.array(groupId),
      /** The role and groups decide what the answers can read. */
      role: roleKey.optional(),
      locale: z.string(),
      name: z.string(),
      organisationName: z.string(),
    }),
    status: testRunSummary.shape.status,
    isStopWanted: z.boolean(),
    results: z.array(result),
    startedAt: z.date(),
    finishedAt: z.date().nullable(),
    /** Grows with each step, so that only one of several processes stores a step. */
    revision: z.number().int(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { chatbotId: 1, _id: -1 },
      [{ chatbotId: 1 }, { unique: true, partialFilterExpression: { status: 'running' } }],
    ],
  },
);
export type TestRunRow = RowOf<typeof testRunRows>;
export type ResultRow = TestRunRow['results'][number];
