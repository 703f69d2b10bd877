import { defineEvent, defineRoute, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { errorTestId } from '../../ids.ts';
import type { Service } from '../../peers.ts';
import { errorGroupId, errorSink, failing } from './errors.ts';

/** A service fails in answering a request, or in handling an event. */
const bothWays = <const Name extends Service>(service: Name) => [`${service}.request`, `${service}.event`] as const;

/**
 * What can be made to fail: in the browser a script, a promise, a page that renders and one that throws while it loads;
 * the BFF; each service.
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

/** An error that somebody asked for, and what became of it. */
export const errorTest = z.strictObject({
  id: errorTestId,
  kind: errorTestKind,
  at: timestamp,
  /** Of the request that asked for it, until its report has come: then the report's. */
  traceId: z.string(),
  /** As the collector has it; null while it has not. */
  arrived: z
    .strictObject({
      /** When it failed by the clock of who failed, and when the collector had it by its own. */
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
 * The own ones of the last day, the newest first; 50 at most. For platform admins, or for everybody where
 * `PARLEY_ERROR_TEST` says so; to others 404 `platform.not-found`.
 */
export const listErrorTests = defineRoute({
  ...person,
  route: 'GET /api/monitoring/error-tests',
  cost: 'read',
  response: z.strictObject({ items: z.array(errorTest), sink: errorSink }),
});

/**
 * Writes the test down and makes a service fail: its report comes later. What fails in the browser or the BFF is the
 * caller's to do. Repeating it with the same id makes nothing fail again.
 */
export const createErrorTest = defineRoute({
  ...person,
  route: 'POST /api/monitoring/error-tests',
  cost: 'error-report',
  status: 201,
  body: z.strictObject({ id: errorTestId, kind: errorTestKind }),
  response: errorTest,
});

/** One of the own. */
export const getErrorTest = defineRoute({
  ...person,
  route: 'GET /api/monitoring/error-tests/:errorTestId',
  cost: 'read',
  params: z.strictObject({ errorTestId }),
  response: errorTest,
});

/** The BFF fails: 500 `platform.internal`. Only for an own test of the kind `bff`; else 404. */
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
/** Each fails with 500, and reports it as it does with what it did not expect. */
export const failInAuth = failureOf('auth');
export const failInOrg = failureOf('org');
export const failInChat = failureOf('chat');
export const failInBilling = failureOf('billing');
export const failInMonitoring = failureOf('monitoring');

/** Somebody has asked for an error: who is the event's actor. The service that its kind names fails in handling it. */
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
