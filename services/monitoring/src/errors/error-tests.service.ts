import { Injectable } from '@nestjs/common';
import {
  errorTested,
  failInAuth,
  failInBilling,
  failInChat,
  failInMonitoring,
  failInOrg,
  type createErrorTest,
  type ErrorTestId,
  type getErrorTest,
  type ListedErrorTest,
  type listErrorTests,
  type PersonPrincipal,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Platform, traceIdOf, type InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { ErrorSettings } from './error.config.ts';
import type { ErrorTestRow } from './error-test.collection.ts';
import { ErrorsRepository } from './errors.repository.ts';

const failures = {
  'auth.request': failInAuth,
  'org.request': failInOrg,
  'chat.request': failInChat,
  'billing.request': failInBilling,
  'monitoring.request': failInMonitoring,
} as const;
const mostListed = 50;
const listedMs = 24 * 3_600_000;

@Injectable()
export class ErrorTestParts {
  constructor(
    readonly work: Work,
    readonly clock: Clock,
    readonly platform: Platform,
    readonly settings: ErrorSettings,
  ) {}
}

/** Errors on purpose. Each use is kept with who it was, logged, and told as an event whose actor is the person. */
@Injectable()
export class ErrorTestsService {
  constructor(
    private readonly repository: ErrorsRepository,
    private readonly parts: ErrorTestParts,
  ) {}

  async list({ scope, principal }: InputOf<typeof listErrorTests>): Promise<ResponseOf<typeof listErrorTests>> {
    this.checkMayTest(principal);
    const since = new Date(this.parts.clock.now().getTime() - listedMs);
    const rows = await this.repository.tests
      .within(scope)
      .find({ at: { $gte: since } }, { sort: { at: -1 }, limit: mostListed });
    return { items: rows.map(toTest), sink: this.parts.settings.hasDsn ? 'dsn' : 'collector' };
  }

  async create({ scope, principal, body, request }: InputOf<typeof createErrorTest>): Promise<ListedErrorTest> {
    this.checkMayTest(principal);
    const { work, clock, platform } = this.parts;
    const { userId, name: userName } = principal;
    const { id, kind } = body;
    const traceId = traceIdOf(request.header('traceparent'));
    const wanted = { _id: id, userId, userName, kind, at: clock.now(), traceId, arrived: null };
    const { row, isNew } = await work.run(principal, async (tx) => {
      const made = await this.repository.tests.within(scope, tx).insertOnce(wanted);
      if (made.isNew) tx.record(errorTested, { errorTestId: id, kind, userId });
      return made;
    });
    if (!isNew) return toTest(row);
    platform.logger.info({ errorTestId: id, kind, userId, traceId }, 'somebody tests errors');
    if (kind in failures) await this.fail(kind as keyof typeof failures, id);
    return toTest((await this.repository.tests.within(scope).findById(id)) ?? row);
  }

  async read({ scope, principal, params }: InputOf<typeof getErrorTest>): Promise<ListedErrorTest> {
    this.checkMayTest(principal);
    const row = await this.repository.tests.within(scope).findById(params.errorTestId);
    if (!row) throw new Problem('platform.not-found');
    return toTest(row);
  }

  /** The service answers that it has failed, which is what was asked for. */
  private async fail(kind: keyof typeof failures, errorTestId: ErrorTestId): Promise<void> {
    const input = { params: { errorTestId } };
    const { peers, logger } = this.parts.platform;
    await peers.call(failures[kind], input, { deadlineMs: 5_000, failMode: 'refuse' }).catch((error: unknown) => {
      logger.debug({ err: error, errorTestId }, 'a service failed as it was asked to');
    });
  }

  private checkMayTest({ platformRole }: PersonPrincipal): void {
    if (platformRole !== 'admin' && !this.parts.settings.mayEverybodyTest) throw new Problem('platform.not-found');
  }
}

const toTest = ({ _id: id, kind, at, traceId, arrived }: ErrorTestRow): ListedErrorTest => ({
  id,
  kind,
  at: at.toISOString(),
  traceId,
  arrived: arrived && {
    ...arrived,
    failedAt: arrived.failedAt.toISOString(),
    receivedAt: arrived.receivedAt.toISOString(),
  },
});
