import { defineEvent, defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { quotaLimits } from '../../../limits/quotas.ts';
import { auditValues, changesBetween } from '../../../events/audit.ts';
import { chatbotId, chatbotTestId, documentId, testRunId, trialId } from '../../../ids.ts';
import { plainName } from '../../../plain-text.ts';

/** So many tests a chatbot may have: each is a question to a model whenever they run. */
export const mostTests = quotaLimits.chatbotTests.ceiling;
/** So many runs of a chatbot's tests are kept, the newest. */
export const keptTestRuns = 20;

const words = plainName(200);
const expectations = z.strictObject({
  /** Each stands in the answer. */
  words: z.array(words).max(10),
  /** Of each document a passage is found for the question; with words, one that holds them. */
  passages: z.array(z.strictObject({ documentId, words: words.nullable() })).max(10),
});
/** What has to be so for a test to pass: all of it. Case and accents do not count. */
export const testExpectation = expectations.refine(({ words, passages }) => words.length + passages.length > 0, {
  error: 'expects nothing',
});
export type TestExpectation = z.infer<typeof testExpectation>;

const question = z.string().trim().min(1).max(2_000);

export const chatbotTest = z.strictObject({
  id: chatbotTestId,
  /** Grows with each change: changes name the one that was seen. */
  revision: z.number().int(),
  question: z.string(),
  expects: testExpectation,
  editedAt: timestamp,
  editedBy: z.strictObject({ userId, name: z.string() }),
});
export type ChatbotTest = z.infer<typeof chatbotTest>;

/** How many of the present tests passed in the last whole run of one content; null where there was none. */
const passedOf = z.strictObject({ runId: testRunId, passed: z.number().int() }).nullable();
/** `least`: so many tests have to pass on the very draft that is to be published. */
const gate = z.strictObject({ least: z.number().int().min(1).max(mostTests) }).nullable();
export type TestGate = z.infer<typeof gate>;

export const chatbotTests = z.strictObject({
  items: z.array(chatbotTest),
  gate,
  /** Of the draft as it is now. */
  onDraft: passedOf,
  /** Of what is published. */
  onPublished: passedOf,
});
export type ChatbotTests = z.infer<typeof chatbotTests>;

/**
 * `passed`, or not: `failed` for what `missing` says, `unanswered` where there was no whole answer, `skipped` where the run
 * was stopped before.
 */
export const testState = z.enum(['waiting', 'running', 'passed', 'failed', 'unanswered', 'skipped']);
export type TestState = z.infer<typeof testState>;

export const testResult = z.strictObject({
  testId: chatbotTestId,
  /** Of the test as it was then. */
  revision: z.number().int(),
  question: z.string(),
  state: testState,
  missing: expectations,
  /** Its answer, for whoever ran it, as long as trials are kept; null before it was asked. */
  trialId: trialId.nullable(),
});
export type TestResult = z.infer<typeof testResult>;

const testRunFacts = {
  id: testRunId,
  chatbotId,
  /** Null: the draft of then. */
  version: z.number().int().nullable(),
  /** What was run is what the draft says now. */
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

/** In the order in which they were made. */
export const listTests = defineRoute({
  ...managed,
  route: 'GET /api/chat/chatbot-drafts/:chatbotId/tests',
  cost: 'read',
  params: ofChatbot,
  response: chatbotTests,
});

/** More than a hundred: `org.limit-reached`. A document of nobody's knowledge: `chat.document-not-found`. */
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

/** Creating it with the same id takes that back. */
export const deleteTest = defineRoute({
  ...managed,
  route: 'DELETE /api/chat/tests/:testId',
  cost: 'write',
  status: 204,
  params: oneTest,
});

/** What has to pass before a draft can be published, from now on; null: nothing has to. */
export const setTestGate = defineRoute({
  ...managed,
  permission: 'chatbot:publish',
  cost: 'write',
  route: 'PUT /api/chat/chatbot-drafts/:chatbotId/gate',
  params: ofChatbot,
  /** `was` is what was seen: `platform.conflict` with the current one where it is another by now. */
  body: z.strictObject({ was: gate, gate }),
  response: z.strictObject({ gate }),
});

/**
 * Asks each test's question of the draft (null) or of a version, a few at a time, in the name of whoever starts it and on
 * their budgets. `platform.conflict` while another run of this chatbot goes on.
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

/** What runs ends with the text so far, the rest is not asked. Harmless when it is over. */
export const stopTestRun = defineRoute({
  ...managed,
  route: 'POST /api/chat/test-runs/:runId/stop',
  cost: 'write',
  params: oneRun,
  response: testRun,
});

/** Tests, or what has come of them so far. */
export const chatbotTestsChanged = defineEvent('chatbot.tests-changed.v1', 'chat', {
  data: z.object({ orgId, chatbotId, change: z.enum(['tests', 'run']) }),
  key: 'orgId',
  live: { room: 'organisation', permission: 'chatbot:manage', resources: ['tests', 'test-runs'] },
  audit: 'Tests belong to a draft: publishing it is the act.',
});

const gateOf = (least: number | null) => (least === null ? null : auditValues.count(least));

/** How many tests have to pass before a draft can be published; null: none. */
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
