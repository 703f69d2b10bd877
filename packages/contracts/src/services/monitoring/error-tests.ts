import { defineEvent, defineRoute, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { errorTestId } from '../../ids.ts';
import type { Service } from '../../peers.ts';
import { errorGroupId, errorSink, failing } from './errors.ts';

/** Returns the two ways to fail: while a service answers a request, and while it handles an event. */
const bothWays = <const Name extends Service>(service: Name) => [`${service}.request`, `${service}.event`] as const;

/**
 * Lists the parts that can be made to fail: in the browser a script, a promise, a page that renders and one that throws
 * while loading; the BFF; each service.
 */
export const errorTestKind = z.enum([
  'script',
  'promise',
  'render',
  'page',
  'bff',
  ...bothWays('auth'),
  ...bothWays('org'),
  ...bothWays('chat'),
  ...bothWays('billing'),
  ...bothWays('monitoring'),
]);
export type ErrorTestKind = z.infer<typeof errorTestKind>;

/** A test error, and the arrival of its report. */
export const errorTest = z.strictObject({
  id: errorTestId,
  kind: errorTestKind,
  at: timestamp,
  /** The trace of the request that asked for the test, until the report arrives; then the report's trace. */
  traceId: z.string(),
  /** The report as the collector has it; null until it arrives. */
  arrived: z
    .strictObject({
      /** Times of the failure and of its arrival at the collector, each by its own clock. */
      failedAt: timestamp,
      receivedAt: timestamp,
      eventId: z.string(),
      deployable: failing,
      groupId: errorGroupId,
    })
    .nullable(),
});
export type ListedErrorTest = z.infer<typeof errorTest>;

const person = { service: 'monitoring', scope: 'person' } as const;

/**
 * Lists the person's tests of the last day, newest first, at most 50. For platform admins, or for everyone with
 * `PARLEY_ERROR_TEST`; 404 `platform.not-found` for others.
 */
export const listErrorTests = defineRoute({
  ...person,
  route: 'GET /api/monitoring/error-tests',
  cost: 'read',
  response: z.strictObject({ items: z.array(errorTest), sink: errorSink }),
});

/**
 * Records the test and makes the service fail; the report of the failure arrives later. For tests of the browser or the
 * BFF, the caller causes the failure. Repeated with the same id, nothing fails again.
 */
export const createErrorTest = defineRoute({
  ...person,
  route: 'POST /api/monitoring/error-tests',
  cost: 'error-report',
  status: 201,
  body: z.strictObject({ id: errorTestId, kind: errorTestKind }),
  response: errorTest,
});

/** Returns one of the person's tests. */
export const getErrorTest = defineRoute({
  ...person,
  route: 'GET /api/monitoring/error-tests/:errorTestId',
  cost: 'read',
  params: z.strictObject({ errorTestId }),
  response: errorTest,
});

/** Fails in the BFF with 500 `platform.internal`. Only for the person's own test of kind `bff`; otherwise 404. */
export const failInBff = defineRoute({
  ...person,
  answeredBy: 'bff',
  route: 'POST /api/monitoring/error-tests/:errorTestId/failure',
  cost: 'error-report',
  status: 204,
  params: z.strictObject({ errorTestId }),
});

const failureOf = <const Name extends Service>(service: Name) =>
  defineRoute({
    service,
    scope: 'internal',
    route: `POST /internal/${service}/error-tests/:errorTestId`,
    status: 204,
    params: z.strictObject({ errorTestId }),
  });
/** Fails in the service with 500, which is reported like an unexpected error. */
export const failInAuth = failureOf('auth');
export const failInOrg = failureOf('org');
export const failInChat = failureOf('chat');
export const failInBilling = failureOf('billing');
export const failInMonitoring = failureOf('monitoring');

/** Someone asked for a test error; the event's actor says who. The service of its kind fails while handling it. */
export const errorTested = defineEvent('error.tested.v1', 'monitoring', {
  data: z.object({ errorTestId, kind: errorTestKind, userId }),
  key: 'errorTestId',
  live: null,
  audit: 'A test of the installation, in no organisation.',
});

export const errorTestRoutes = {
  listErrorTests,
  createErrorTest,
  getErrorTest,
  failInBff,
  failInAuth,
  failInOrg,
  failInChat,
  failInBilling,
  failInMonitoring,
};
