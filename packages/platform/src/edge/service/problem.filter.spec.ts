import type { ArgumentsHost } from '@nestjs/common';
import { expect, test } from '@jest/globals';
import { Problem } from '@parley/protocol';
import { createLogger } from '../../base/logging/index.ts';
import type { ReportContext } from '../../ports/reporter/index.ts';
import { ProblemFilter } from './problem.filter.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Returns the response to a request that ended with this error, and the contexts of its reports. */
function end(error: unknown): { status: number; reported: ReportContext[] } {
  const answered = { status: 0, reported: [] as ReportContext[] };
  const response = {
    headersSent: false,
    setHeader: () => response,
    status: (status: number) => Object.assign(response, { status: () => response, sent: (answered.status = status) }),
    set: () => response,
    send: () => response,
  };
  const request = {
    method: 'GET',
    path: '/api/chat/conversations/cnv_1',
    route: { path: '/api/chat/conversations/:conversationId' },
    header: () => `00-${traceId}-00f067aa0ba902b7-01`,
  };
  const host = {
    getType: () => 'http',
    switchToHttp: () => ({ getRequest: () => request, getResponse: () => response }),
  } as unknown as ArgumentsHost;
  const reporter = {
    report: (_error: unknown, context: ReportContext) => void answered.reported.push(context),
    close: async () => {},
  };
  const logger = createLogger({ name: 'test', level: 'silent' });
  new ProblemFilter({ logger, reporter, deployable: 'chat' }).catch(error, host);
  return answered;
}

test('reports an internal error with route and trace, never with typed text', () => {
  expect(end(new TypeError('x is not a function'))).toEqual({
    status: 500,
    reported: [{ deployable: 'chat', during: 'request', route: '/api/chat/conversations/:conversationId', traceId }],
  });
});

test.each([
  [404, new Problem('chat.conversation-not-found')],
  [400, { type: 'entity.parse.failed', status: 400 }],
  [413, { status: 413 }],
  [503, new Problem('platform.unavailable')],
  [502, new Problem('chat.provider-failed')],
])('a problem with status %i is expected and not reported', (status, error) => {
  expect(end(error)).toEqual({ status, reported: [] });
});
