import { defineEvent, defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { quotaLimits } from '../../../limits/quotas.ts';
import { auditValues, changesBetween } from '../../../events/audit.ts';
import { chatbotId, chatbotTestId, documentId, testRunId, trialId } from '../../../ids.ts';
import { plainName } from '../../../plain-text.ts';

/** Limits the tests of a chatbot. Each run asks a model one question per test. */
export const mostTests = quotaLimits.chatbotTests.ceiling;
/** Limits the stored runs of a chatbot's tests; the newest are kept. */
export const keptTestRuns = 20;

const words = plainName(200);
const expectations = z.strictObject({
  /** Words that all have to be in the answer. */
  words: z.array(words).max(10),
  /** Documents from which the search has to find a passage; with `words`, a passage that contains them. */
  passages: z.array(z.strictObject({ documentId, words: words.nullable() })).max(10),
});
/** The expectations of a test, which passes only if all are met. Case and accents are ignored. */
export const testExpectation = expectations.refine(({ words, passages }) => words.length + passages.length > 0, {
  error: 'expects nothing',
});
export type TestExpectation = z.infer<typeof testExpectation>;

const question = z.string().trim().min(1).max(2_000);

export const chatbotTest = z.strictObject({
  id: chatbotTestId,
  /** Grows with each change. A change names the revision that the person saw. */
  revision: z.number().int(),
  question: z.string(),
  expects: testExpectation,
  editedAt: timestamp,
  editedBy: z.strictObject({ userId, name: z.string() }),
});
export type ChatbotTest = z.infer<typeof chatbotTest>;

/**
 * Counts the present tests that passed in the last complete run of the same draft or version; null without such a run.
 */
const passedOf = z.strictObject({ runId: testRunId, passed: z.number().int() }).nullable();
/** The condition for publishing: `least` tests have to pass on exactly the draft that is published. Null: none. */
const gate = z.strictObject({ least: z.number().int().min(1).max(mostTests) }).nullable();
export type TestGate = z.infer<typeof gate>;

export const chatbotTests = z.strictObject({
  items: z.array(chatbotTest),
  gate,
  /** The last result of the tests with the present draft. */
  onDraft: passedOf,
  /** The last result of the tests with the published version. */
  onPublished: passedOf,
});
export type ChatbotTests = z.infer<typeof chatbotTests>;

/**
 * The state of a test in a run. `failed`: the expectations in `missing` weren't met. `unanswered`: no complete answer
 * came. `skipped`: the run was stopped before this test.
 */
export const testState = z.enum(['waiting', 'running', 'passed', 'failed', 'unanswered', 'skipped']);
export type TestState = z.infer<typeof testState>;

export const testResult = z.strictObject({
  testId: chatbotTestId,
  /** The test's revision at the time of the run. */
  revision: z.number().int(),
  question: z.string(),
  state: testState,
  missing: expectations,
  /**
   * The trial with the test's question and answer. Only the person who ran the test can read it, as long as trials are
   * kept; null before the question was asked.
   */
  trialId: trialId.nullable(),
});
export type TestResult = z.infer<typeof testResult>;

const testRunFacts = {
  id: testRunId,
  chatbotId,
  /** The tested version; null: the draft at the time of the run. */
  version: z.number().int().nullable(),
  /** True if the run tested the present draft. */
  isOfDraft: z.boolean(),
  status: z.enum(['running', 'done', 'stopped']),
  startedBy: z.strictObject({ userId, name: z.string() }),
  startedAt: timestamp,
  finishedAt: timestamp.nullable(),
  counts: z.strictObject({ all: z.number().int(), ended: z.number().int(), passed: z.number().int() }),
};
export const testRunSummary = z.strictObject(testRunFacts);
export type TestRunSummary = z.infer<typeof testRunSummary>;
export const testRun = z.strictObject({ ...testRunFacts, results: z.array(testResult) });
export type TestRun = z.infer<typeof testRun>;

const managed = { service: 'chat', scope: 'organisation', permission: 'chatbot:manage' } as const;
const ofChatbot = z.strictObject({ chatbotId });
const oneTest = z.strictObject({ testId: chatbotTestId });
const oneRun = z.strictObject({ runId: testRunId });

/** Lists a chatbot's tests in the order of their creation. */
export const listTests = defineRoute({
  ...managed,
  route: 'GET /api/chat/chatbot-drafts/:chatbotId/tests',
  cost: 'read',
  params: ofChatbot,
  response: chatbotTests,
});

/** Creates a test. `org.limit-reached` above a hundred; `chat.document-not-found` for an unknown document. */
export const createTest = defineRoute({
  ...managed,
  route: 'POST /api/chat/chatbot-drafts/:chatbotId/tests',
  cost: 'write',
  status: 201,
  params: ofChatbot,
  body: z.strictObject({ id: chatbotTestId, question, expects: testExpectation }),
  response: chatbotTest,
});

export const changeTest = defineRoute({
  ...managed,
  route: 'PUT /api/chat/tests/:testId',
  cost: 'write',
  params: oneTest,
  body: z.strictObject({ revision: z.number().int(), question, expects: testExpectation }),
  response: chatbotTest,
});

/** Deletes a test. Creating it with the same id restores it. */
export const deleteTest = defineRoute({
  ...managed,
  route: 'DELETE /api/chat/tests/:testId',
  cost: 'write',
  status: 204,
  params: oneTest,
});

/** Sets how many tests have to pass before a draft can be published; null: none. */
export const setTestGate = defineRoute({
  ...managed,
  permission: 'chatbot:publish',
  cost: 'write',
  route: 'PUT /api/chat/chatbot-drafts/:chatbotId/gate',
  params: ofChatbot,
  /** `was` is the gate that the person saw: `platform.conflict` with the present one if it differs. */
  body: z.strictObject({ was: gate, gate }),
  response: z.strictObject({ gate }),
});

/**
 * Asks each test's question of the draft (null) or of a version, a few at a time, in the name and on the budgets of the
 * caller. `platform.conflict` while another run of this chatbot's tests isn't finished.
 */
export const startTestRun = defineRoute({
  ...managed,
  route: 'POST /api/chat/chatbot-drafts/:chatbotId/test-runs',
  cost: 'question',
  status: 202,
  params: ofChatbot,
  body: z.strictObject({ id: testRunId, version: z.number().int().min(0).nullable() }),
  response: testRun,
});

/** Newest first. */
export const listTestRuns = defineRoute({
  ...managed,
  route: 'GET /api/chat/chatbot-drafts/:chatbotId/test-runs',
  cost: 'read',
  params: ofChatbot,
  response: z.strictObject({ items: z.array(testRunSummary) }),
});

export const getTestRun = defineRoute({
  ...managed,
  route: 'GET /api/chat/test-runs/:runId',
  cost: 'read',
  params: oneRun,
  response: testRun,
});

/** Stops a run: running answers end with their text so far, and the rest is skipped. A finished run stays as it is. */
export const stopTestRun = defineRoute({
  ...managed,
  route: 'POST /api/chat/test-runs/:runId/stop',
  cost: 'write',
  params: oneRun,
  response: testRun,
});

/** A chatbot's tests or their results changed. */
export const chatbotTestsChanged = defineEvent('chatbot.tests-changed.v1', 'chat', {
  data: z.object({ orgId, chatbotId, change: z.enum(['tests', 'run']) }),
  key: 'orgId',
  live: { room: 'organisation', permission: 'chatbot:manage', resources: ['tests', 'test-runs'] },
  audit: 'Tests belong to a draft: publishing it is the act.',
});

const gateOf = (least: number | null) => (least === null ? null : auditValues.count(least));

/** The number of tests that have to pass before publishing was changed; null: none. */
export const chatbotGateChanged = defineEvent('chatbot.gate-changed.v1', 'chat', {
  data: z.object({
    orgId,
    chatbotId,
    by: userId,
    name: z.string(),
    before: z.number().int().nullable(),
    least: z.number().int().nullable(),
  }),
  key: 'orgId',
  live: { room: 'organisation', permission: 'chatbot:manage', resources: ['tests'] },
  audit: ({ chatbotId: id, by, name, before, least }) => ({
    act: 'chatbot.gate-changed',
    by,
    target: { of: 'chatbot', id, name },
    changes: changesBetween({ testsToPass: gateOf(before) }, { testsToPass: gateOf(least) }),
  }),
});

export const testRoutes = {
  listTests,
  createTest,
  changeTest,
  deleteTest,
  setTestGate,
  startTestRun,
  listTestRuns,
  getTestRun,
  stopTestRun,
};
