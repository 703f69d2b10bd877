import { describe, expect, test } from '@jest/globals';
import { errorLimits } from '@parley/contracts';
import { readEnvelope } from './read-envelope.ts';

const now = new Date('2026-11-23T22:00:00.000Z');
const eventId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceId = 'a3ce929d0e0e47364bf92f3577b34da6';
const frame = { filename: 'assets/chat-9f2cAbCd.js', function: 'ab', lineno: 1, colno: 8_801, in_app: true };
const anEvent = (more: object = {}) => ({
  event_id: eventId,
  release: 'parley@0.1.0',
  tags: { route: 'chat/:id', trace_id: traceId, digest: '0123456789' },
  exception: { values: [{ type: 'TypeError', value: '', stacktrace: { frames: [frame] } }] },
  ...more,
});
const item = (payload: unknown, type = 'event') => [JSON.stringify({ type }), JSON.stringify(payload)];
const read = (...lines: string[]) => readEnvelope(['{"event_id":"x"}', ...lines].join('\n'), now);

test("an error of a page is taken with the page's name, trace, digest and version", () => {
  expect(read(...item(anEvent()))).toEqual({
    drops: {},
    reports: [
      {
        eventId,
        traceId,
        at: now.toISOString(),
        deployable: 'browser',
        during: 'page',
        release: 'parley@0.1.0',
        route: '/chat/:id',
        digest: '0123456789',
        consumer: null,
        process: null,
        userId: null,
        errorTestId: null,
        errors: [
          {
            type: 'TypeError',
            code: null,
            frames: [{ function: 'ab', file: 'assets/chat-9f2cAbCd.js', line: 1, column: 8_801, isOwn: true }],
          },
        ],
      },
    ],
  });
});

test('nothing that people wrote passes, wherever a hostile or an old page puts it', () => {
  const secrets = ['my mother is ill', 'ada@example.com', 'Bearer eyJhbGciOi', 'sk-1234567890', '203.0.113.7'];
  for (const secret of secrets) {
    const value = { type: secret, value: secret, module: secret, mechanism: { data: { secret } } };
    const frames = [{ filename: secret, function: secret, vars: { secret }, context_line: secret, lineno: secret }];
    const event = anEvent({
      message: secret,
      logentry: { message: secret },
      user: { email: secret, ip_address: secret },
      request: { url: secret, cookies: secret },
      breadcrumbs: [{ message: secret }],
      extra: { secret },
      contexts: { secret: { secret } },
      release: secret,
      environment: secret,
      server_name: secret,
      sdk: { secret },
      tags: { route: secret, trace_id: secret, digest: secret, test: secret, deployable: secret, [secret]: secret },
      exception: { values: [{ ...value, stacktrace: { frames } }] },
    });
    const taken = read(...item(event));
    expect(taken?.reports).toHaveLength(1);
    expect(JSON.stringify(taken)).not.toContain(secret);
  }
});

describe('a bomb', () => {
  test.each([
    ['nested in arrays', '['.repeat(30_000)],
    ['nested and closed', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['nested in objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ])('%s is dropped', (_how, payload) => {
    expect(read('{"type":"event"}', payload)).toEqual({ reports: [], drops: { depth: 1 } });
  });

  test('of many items is cut, and counted', () => {
    const lines = Array.from({ length: 500 }, () => item(anEvent())).flat();
    const taken = read(...lines);
    expect(taken?.reports).toHaveLength(errorLimits.items);
    expect(taken?.drops).toEqual({ items: 500 - errorLimits.items });
  });

  test('of causes and calls is cut', () => {
    const frames = Array.from({ length: 900 }, () => frame);
    const values = Array.from({ length: 90 }, () => ({ type: 'TypeError', stacktrace: { frames } }));
    const [report] = read(...item(anEvent({ exception: { values } })))?.reports ?? [];
    expect(report?.errors).toHaveLength(errorLimits.causes);
    expect(report?.errors[0]?.frames).toHaveLength(errorLimits.frames);
  });
});

test('items that are no errors, and events that say nothing, are dropped and counted', () => {
  expect(read(...item({}, 'session'), ...item({}, 'replay_recording'), ...item({}, 'client_report'))?.drops).toEqual({
    items: 3,
  });
  const useless = [{}, [], null, 'text', anEvent({ event_id: '1' }), anEvent({ exception: { values: [] } })];
  expect(read(...useless.flatMap((event) => item(event)))?.drops).toEqual({ malformed: useless.length });
  expect(read('{', '}')?.drops).toEqual({ malformed: 1 });
});

test.each(['', 'text', '[]', 'null', '{', '['.repeat(50_000)])('what is no envelope: %#', (text) => {
  expect(readEnvelope(text, now)).toBeNull();
});
