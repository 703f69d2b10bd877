import { beforeEach, describe, expect, it } from '@jest/globals';
import { defaultStackParser } from '@sentry/react';
import { eventOf, isFault } from './error-event.ts';
import { NetworkError, toProblem } from './http.ts';

const secrets = ['my mother is ill', 'ada@example.com', 'Bearer eyJhbGciOi', 'sk-1234567890'];
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const eventId = 'a3ce929d0e0e47364bf92f3577b34da6';
const { origin } = location;

function failing(error: Error, calls: readonly string[] = []): Error {
  error.stack = [`${error.name}: ${error.message}`, ...calls.map((call) => `    at ${call}`)].join('\n');
  return error;
}
const eventFor = (error: unknown) => eventOf({ error, eventId }, defaultStackParser);

beforeEach(() => history.replaceState(null, '', `/en/chat/cnv_1?q=${encodeURIComponent(secrets[0]!)}`));

describe('what leaves the page', () => {
  it('is class, place, page, trace and digest, and nothing that people wrote', () => {
    const cause = failing(
      Object.assign(new TypeError(`${secrets[1]}\n    at ${secrets[0]} (x.js:1:2)`), { body: secrets[3] }),
    );
    const error = failing(new Error(`cannot send "${secrets[0]}" with ${secrets[2]}`, { cause }), [
      `Aa.bc (${origin}/assets/chat-9f2cAbCd.js:1:8801)`,
      `q (${origin}/en/chat/${secrets[3]}:1:2)`,
      `${secrets[0]} (https://evil.example/${secrets[1]}.js:1:2)`,
    ]);
    const event = eventFor(error);
    for (const secret of secrets) expect(JSON.stringify(event)).not.toContain(secret);
    expect(JSON.stringify(event)).not.toContain('evil.example');
    expect(event).toMatchObject({
      event_id: eventId,
      tags: { route: 'chat/:id', digest: 'a3ce929d0e' },
      exception: {
        values: [
          { type: 'TypeError', value: '' },
          { type: 'Error', value: '' },
        ],
      },
    });
    expect(event.exception?.values?.[1]?.stacktrace?.frames?.at(-1)).toEqual({
      filename: 'assets/chat-9f2cAbCd.js',
      function: 'Aa.bc',
      lineno: 1,
      colno: 8801,
      in_app: true,
    });
  });

  it('of a failed request is its code and its trace', () => {
    const problem = toProblem(500, JSON.stringify({ code: 'platform.internal', detail: secrets[0], traceId }));
    const event = eventFor(problem);
    expect(event).toMatchObject({
      tags: { trace_id: traceId },
      exception: { values: [{ type: 'ProblemError', value: 'platform.internal' }] },
    });
    expect(JSON.stringify(event)).not.toContain(secrets[0]);
  });

  it.each([secrets[0], { text: secrets[0] }, null, undefined])(
    'of %j, which is no error, is that it was none',
    (thrown) => {
      const event = eventFor(thrown);
      expect(event.exception?.values).toEqual([{ type: 'NoError', value: '' }]);
      expect(JSON.stringify(event)).not.toContain(secrets[0]);
    },
  );

  it('has no stack where the message cannot be told from it', () => {
    const error = new Error('one');
    error.stack = `Error: ${secrets[0]}\n    at ${secrets[0]} (${origin}/assets/a-12345678.js:1:2)`;
    expect(eventFor(error).exception?.values?.[0]?.stacktrace?.frames).toEqual([]);
  });
});

it('refusals, lost connections and what was called off are no faults', () => {
  const refused = toProblem(403, JSON.stringify({ code: 'platform.forbidden' }));
  const stopped = new DOMException('stopped', 'AbortError');
  expect([refused, new NetworkError(), stopped].map(isFault)).toEqual([false, false, false]);
  expect([new Error('x'), toProblem(500, '{}'), 'thrown'].map(isFault)).toEqual([true, true, true]);
});
