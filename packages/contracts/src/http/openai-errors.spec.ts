import { expect, test } from '@jest/globals';
import { Problem } from '@parley/protocol';
import { quotaLimits, quotaRetrySeconds } from '../limits/quotas.ts';
import { problemCatalogue, problemCodes } from '../problems.ts';
import { tooLongToRead } from '../services/chat/answers/completions.ts';
import { problemAnswer } from './openai-errors.ts';

type Body = { code: string; error?: { message: string; type: string; param: string | null; code: string } };
const answerAt = (path: string, problem: Problem) => {
  const { status, headers, body } = problemAnswer(problem, { path, traceId: 't' });
  return { status, headers, body: JSON.parse(body) as Body };
};
const completions = '/v1/chat/completions';

test('routes for OpenAI’s clients return errors in OpenAI’s form and Parley’s, other routes in Parley’s only', () => {
  const missing = new Problem('platform.not-found');
  for (const path of ['/v1/models', completions, '/v1/models/bot_1', '/v1/embeddings'])
    expect(answerAt(path, missing).body).toMatchObject({
      code: 'platform.not-found',
      error: { code: expect.any(String) },
    });
  for (const path of ['/v1/events', '/v1/openapi.json', '/api/chat/chatbots'])
    expect(answerAt(path, missing).body.error).toBeUndefined();
});

test.each<[Problem, object]>([
  [new Problem('auth.api-key-invalid'), { code: 'invalid_api_key', type: 'invalid_request_error' }],
  [
    new Problem('chat.chatbot-not-found', { detail: 'No.' }),
    { code: 'model_not_found', param: 'model', message: 'No.' },
  ],
  [new Problem('chat.budget-spent'), { code: 'insufficient_quota', type: 'insufficient_quota' }],
  [new Problem('org.organisation-suspended'), { code: 'organisation_suspended' }],
  [new Problem('platform.unavailable'), { code: 'unavailable', type: 'server_error' }],
  [
    new Problem('platform.invalid-request', { errors: [{ path: 'body.n', message: 'is not supported: one' }] }),
    { code: 'unsupported_parameter', param: 'n', message: 'n: is not supported: one.' },
  ],
  [
    new Problem('platform.invalid-request', {
      errors: [{ path: 'body.messages.0.content', message: `${tooLongToRead}: it has more than 9 characters` }],
    }),
    {
      code: 'context_length_exceeded',
      param: 'messages.0.content',
      message: "messages.0.content: is longer than the model's context length: it has more than 9 characters.",
    },
  ],
  [
    new Problem('platform.invalid-request', { errors: [{ path: 'header.parley-org', message: 'is none' }] }),
    { code: 'invalid_value', param: 'header.parley-org' },
  ],
])('%s', (problem, expected) => {
  expect(answerAt(completions, problem).body.error).toMatchObject(expected);
});

test('an error tells OpenAI’s clients when to retry, or never to', () => {
  const limited = new Problem('platform.rate-limited', { retryAfterSeconds: 7 });
  expect(answerAt(completions, limited).headers).toMatchObject({ 'retry-after': '7' });
  expect(answerAt(completions, limited).headers['x-should-retry']).toBeUndefined();
  expect(answerAt(completions, new Problem('chat.budget-spent'))).toMatchObject({
    status: 429,
    headers: { 'x-should-retry': 'false' },
  });
});

test('an error says when to retry if Parley is busy or unavailable', () => {
  for (const code of problemCodes.filter((each) => problemCatalogue[each].status === 503))
    for (const path of [completions, '/api/chat/conversations'])
      expect([code, answerAt(path, new Problem(code)).headers['retry-after']]).toEqual([code, '2']);
  const later = new Problem('platform.unavailable', { retryAfterSeconds: 7 });
  expect(answerAt(completions, later).headers).toMatchObject({ 'retry-after': '7' });
});

test.each(Object.entries(quotaLimits))(
  'the error for a full quota of %s says what to do and that retrying is useless',
  (name, { problem }) => {
    const statuses: Record<string, number> = { storage: 413, emails: 429 };
    expect(answerAt(completions, new Problem(problem))).toMatchObject({
      status: statuses[name] ?? 409,
      headers: { 'x-should-retry': 'false' },
      body: { code: problem },
    });
  },
);

test('a full storage quota tells OpenAI’s clients when to retry', () => {
  const full = new Problem('chat.storage-quota-reached', { retryAfterSeconds: quotaRetrySeconds });
  expect(answerAt(completions, full)).toMatchObject({
    headers: { 'retry-after': '3600' },
    body: { error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' } },
  });
});
