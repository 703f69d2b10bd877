import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { problemCatalogue, takeErrorReports, type ErrorTestId } from '@parley/contracts';
import { isReportable, type BodyOf, type ProblemCode, type UserId } from '@parley/protocol';
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@parley/testing';
import { createLogger } from '../../base/logging/index.ts';
import type { Peers } from '../../edge/peers/index.ts';
import { ErrorTest } from '../../ports/reporter/error-test.ts';
import { openReporter, reporterConfig } from './open-reporter.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const logger = createLogger({ name: 'test', level: 'silent' });
const context = {
  deployable: 'chat',
  during: 'request',
  route: '/api/chat/conversations/:conversationId',
  traceId,
} as const;
/** Rejects when used: with a DSN the collector must not be called. */
const nobody = Promise.reject(new Error('nobody is to be asked'));
nobody.catch(() => undefined);
const secrets = ['ada@example.com', 'Bearer eyJhbGciOi', 'my mother is ill', 'sk-1234567890', 'adaLovelace'];

const userId = 'usr_01M7Z6X0BT7J6QPJC5FQE3HR02' as UserId;

/** A fake of Parley's own collector. */
class FakeCollector {
  readonly told: BodyOf<typeof takeErrorReports>[] = [];
  isAway = false;
  readonly peers = Promise.resolve({
    call: async (_route: unknown, { body }: { body: unknown }) => {
      if (this.isAway) throw new Error('away');
      this.told.push(takeErrorReports.body.parse(body));
    },
  } as unknown as Pick<Peers, 'call'>);
  get events() {
    return this.told.flatMap(({ reports }) => reports);
  }
}

/** Takes Sentry's envelopes: lines of JSON, whose third line is the event. */
let receiver: Server;
let received: string[];
let isHanging: boolean;
let dsn: string;

beforeEach(async () => {
  [received, isHanging] = [[], false];
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push(`${JSON.stringify(request.headers)}\n${body}`);
      if (!isHanging) response.end('{}');
    });
  });
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  dsn = `http://public@127.0.0.1:${(receiver.address() as AddressInfo).port}/1`;
});
afterEach(() => {
  receiver.closeAllConnections();
  receiver.close();
});

function failing(): Error {
  const cause = Object.assign(
    new TypeError(
      `${secrets[0]} wrote:\n    at ${secrets[2]} (/tmp/${secrets[2]}.ts:1:2)\n    at ${secrets[4]} (/tmp/x.ts:1:2)`,
    ),
    { code: 'ECONNRESET', headers: { authorization: secrets[1] } },
  );
  return Object.assign(new Error(`cannot answer "${secrets[2]}" with ${secrets[3]}`, { cause }), {
    body: { text: secrets[2] },
    code: secrets[3]?.repeat(9),
  });
}

test('reports class, code, place, version and Parley’s own ids, and nothing that people wrote', async () => {
  const reporter = openReporter(dsn, { logger, peers: nobody });
  reporter.report(failing(), { ...context, digest: '0123456789' });
  await reporter.close(5_000);
  expect(received).toHaveLength(1);
  for (const secret of secrets) expect(received[0]).not.toContain(secret);
  const event = JSON.parse(received[0]?.split('\n')[3] ?? '') as { exception: { values: Record<string, unknown>[] } };
  const { exception, ...rest } = event;
  expect(rest).toEqual({
    event_id: expect.any(String),
    timestamp: expect.any(Number),
    level: 'error',
    platform: 'node',
    environment: 'production',
    release: expect.stringMatching(/^parley@\d+\.\d+\.\d+$/),
    tags: {
      deployable: 'chat',
      during: 'request',
      route: '/api/chat/conversations/:conversationId',
      digest: '0123456789',
      trace_id: traceId,
    },
    contexts: { trace: expect.objectContaining({ trace_id: traceId }), runtime: expect.anything() },
    sdk: expect.anything(),
  });
  expect(exception.values.map(({ type, value }) => [type, value])).toEqual([
    ['TypeError', 'ECONNRESET'],
    ['Error', ''],
  ]);
  const { frames } = exception.values[1]!['stacktrace'] as { frames: Record<string, unknown>[] };
  expect(frames.at(-1)).toMatchObject({
    filename: 'packages/platform/src/process/reporting/reporter.spec.ts',
    function: 'failing',
    in_app: true,
  });
});

test('reports a thrown value that is no error, without its content', async () => {
  const reporter = openReporter(dsn, { logger, peers: nobody });
  reporter.report(secrets[2], context);
  reporter.report({ text: secrets[2] }, context);
  await reporter.close(5_000);
  expect(received).toHaveLength(2);
  expect(received.join()).not.toContain(secrets[2]);
});

describe('without a DSN', () => {
  test('sends the collector the same reports as Sentry, with person and machine, and nothing that people wrote', async () => {
    const collector = new FakeCollector();
    const reporter = openReporter(undefined, { logger, peers: collector.peers });
    reporter.report(failing(), { ...context, digest: '0123456789', userId });
    await reporter.close(5_000);
    for (const secret of secrets) expect(JSON.stringify(collector.told)).not.toContain(secret);
    const [report] = collector.events;
    expect(report).toMatchObject({
      ...context,
      digest: '0123456789',
      userId,
      release: expect.stringMatching(/^parley@/),
    });
    expect(report?.errors.map(({ type, code }) => [type, code])).toEqual([
      ['Error', null],
      ['TypeError', 'ECONNRESET'],
    ]);
    expect(report?.errors[0]?.frames[0]).toMatchObject({
      file: 'packages/platform/src/process/reporting/reporter.spec.ts',
      function: 'failing',
      isOwn: true,
    });
  });

  test('tells the collector how many reports of a burst were left out, with the first one that arrives after it', async () => {
    const collector = new FakeCollector();
    const reporter = openReporter(undefined, { logger, peers: collector.peers });
    const report = async (times: number) => {
      for (let each = 0; each < times; each += 1) reporter.report(failing(), context);
      await reporter.close(5_000);
    };
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000_000);
    await report(500);
    expect(collector.events).toHaveLength(20);
    expect(collector.told.every(({ drops }) => drops.rate === undefined)).toBe(true);
    now.mockReturnValue(1_060_001);
    collector.isAway = true;
    await report(1);
    collector.isAway = false;
    await report(1);
    expect(collector.told.slice(20).map(({ drops }) => drops)).toEqual([{ rate: 480 }]);
    now.mockRestore();
  });

  test('doesn’t send the collector’s own errors to the collector', async () => {
    const collector = new FakeCollector();
    const reporter = openReporter(undefined, { logger, peers: collector.peers });
    reporter.report(failing(), { deployable: 'monitoring', during: 'request', route: takeErrorReports.path });
    await reporter.close(5_000);
    expect(collector.told).toEqual([]);
  });

  test('reports a test error with its id to the collector', async () => {
    const collector = new FakeCollector();
    const reporter = openReporter(undefined, { logger, peers: collector.peers });
    const errorTestId = 'ert_01M7Z6X0BT7J6QPJC5FQE3HR01' as ErrorTestId;
    reporter.report(new ErrorTest(errorTestId), context);
    await reporter.close(5_000);
    expect(collector.events).toMatchObject([{ errorTestId, errors: [{ type: 'ErrorTest' }] }]);
  });
});

test('limits the reports of a burst of errors', async () => {
  const reporter = openReporter(dsn, { logger, peers: nobody });
  for (let each = 0; each < 500; each += 1) reporter.report(failing(), context);
  await reporter.close(5_000);
  expect(received.length).toBeGreaterThan(0);
  expect(received.length).toBeLessThanOrEqual(20);
});

test('a receiver of reports that hangs delays nothing', async () => {
  isHanging = true;
  const reporter = openReporter(dsn, { logger, peers: nobody });
  const reported = Array.from({ length: 100 }, () => reporter.report(failing(), context));
  expect(reported.every((each) => each === undefined)).toBe(true);
  await eventually(() => received.length > 0, 'it should be told');
  await reporter.close(300);
  // Closing didn't wait for a response of the receiver.
  expect(await new Promise((resolve) => receiver.getConnections((_error, count) => resolve(count)))).toBeGreaterThan(0);
});

test('a missing receiver of reports delays nothing and breaks nothing', async () => {
  const unhandled: unknown[] = [];
  const keep = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', keep);
  const reporter = openReporter('http://public@127.0.0.1:1/1', { logger, peers: nobody });
  for (let each = 0; each < 100; each += 1) reporter.report(failing(), context);
  await reporter.close(300);
  await new Promise(setImmediate);
  process.off('unhandledRejection', keep);
  expect(unhandled).toEqual([]);
});

test('checks the DSN together with all other settings', () => {
  const faultsOf = (given: string) => reporterConfig.safeParse({ PARLEY_SENTRY_DSN: given }).error?.issues.length ?? 0;
  expect([dsn, 'https://sentry.example.com/1', 'https://key@sentry.example.com', 'sentry'].map(faultsOf)).toEqual([
    0, 1, 1, 2,
  ]);
});

test('reports internal errors only', () => {
  const codes = Object.keys(problemCatalogue) as ProblemCode[];
  expect(codes.filter(isReportable)).toEqual(['platform.internal']);
  for (const code of codes.filter(isReportable)) expect(problemCatalogue[code].status).toBeGreaterThanOrEqual(500);
});

test('loads the Sentry library with the first report, and never without a DSN', async () => {
  const source = join(import.meta.dirname, '../..');
  const program = `
    import { registerHooks } from 'node:module';
    const { openReporter } = await import('${source}/process/reporting/index.ts');
    const { createLogger } = await import('${source}/base/logging/index.ts');
    const loaded = new Set();
    registerHooks({ 
      resolve: (name, context, next) => {
        if (name.startsWith('@sentry/')) loaded.add(name);
        return next(name, context);
      },
    });
    const logger = createLogger({ name: 'test', level: 'silent' });
    const context = { deployable: 'chat', during: 'process' };
    const peers = Promise.resolve({ call: async () => undefined });
    const off = openReporter(undefined, { logger, peers });
    off.report(new Error('x'), context);
    await off.close(1_000);
    const on = openReporter('${dsn}', { logger, peers });
    const before = loaded.size;
    on.report(new Error('x'), context);
    await on.close(5_000);
    console.log([before, loaded.size > 0].join());
  `;
  const register = join(source, '../../tooling/src/register.mjs');
  const flags = ['--conditions=parley-source', '--import', register, '--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: source });
  expect(stdout.trim()).toBe('0,true');
  expect(received).toHaveLength(1);
}, 20_000);
