import { Injectable } from '@nestjs/common';
import type { changeErrorState, ErrorGroup, getCollectedError, listCollectedErrors } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { PlatformScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { wordFilter } from '@parley/platform/text';
import { Problem, type ResponseOf } from '@parley/protocol';
import { ErrorSettings } from './error.config.ts';
import { hoursOf, toGroup } from './error-group.ts';
import type { ErrorSampleRow } from './error.collection.ts';
import { ErrorsRepository } from './errors.repository.ts';

type List = ResponseOf<typeof listCollectedErrors>;
const open = { isTest: false, isResolved: false };

/** What has failed, for platform admins. */
@Injectable()
export class CollectedErrorsService {
  constructor(
    private readonly repository: ErrorsRepository,
    private readonly settings: ErrorSettings,
    private readonly clock: Clock,
  ) {}

  async list({ scope, query }: InputOf<typeof listCollectedErrors>): Promise<List> {
    const { text, deployable, resolved, tests, ...page } = query;
    const now = this.clock.now();
    const found = text === undefined ? {} : await this.fitting(scope, text);
    const where = {
      ...(tests === undefined && { isTest: false }),
      ...(resolved === undefined && { isResolved: false }),
      ...(deployable && { deployable }),
      ...found,
    };
    const groups = this.repository.groups.within(scope);
    const [listed, counted, dropped] = await Promise.all([
      found ? groups.page(page, { by: { lastAt: -1 }, where, to: (row) => toGroup(row, now) }) : nothing,
      groups.find(open, { fields: ['hours'] }),
      this.repository.drops.within(scope).find({}),
    ]);
    const events = counted.flatMap((row) => hoursOf(row, now)).reduce((sum, count) => sum + count, 0);
    return {
      ...listed,
      sink: this.settings.hasDsn ? 'dsn' : 'collector',
      open: { groups: counted.length, events },
      dropped: dropped.map(({ _id: reason, count, lastAt }) => ({ reason, count, lastAt: lastAt.toISOString() })),
    };
  }

  async read({ scope, params }: InputOf<typeof getCollectedError>): Promise<ResponseOf<typeof getCollectedError>> {
    const row = await this.repository.groups.within(scope).findById(params.errorGroupId);
    if (!row) throw new Problem('platform.not-found');
    const samples = await this.repository.samples
      .within(scope)
      .find({ groupId: row._id }, { sort: { receivedAt: -1 } });
    return { ...toGroup(row, this.clock.now()), samples: samples.map(toSample) };
  }

  async change({ scope, principal, params, body }: InputOf<typeof changeErrorState>): Promise<ErrorGroup> {
    const now = this.clock.now();
    const isResolved = body.state === 'resolved';
    const $set = { isResolved, isBack: false, resolved: isResolved ? { at: now, by: principal.name } : null };
    const groups = this.repository.groups.within(scope);
    const changed = await groups.change({ _id: params.errorGroupId, isResolved: !isResolved }, { $set });
    const row = changed ?? (await groups.findById(params.errorGroupId));
    if (!row) throw new Problem('platform.not-found');
    return toGroup(row, now);
  }

  /** Null where nothing can fit. */
  private async fitting(scope: PlatformScope, text: string) {
    const samples = this.repository.samples.within(scope);
    const id = text.toLowerCase();
    if (/^[0-9a-f]{32}$/.test(id)) return among(await samples.find({ $or: [{ traceId: id }, { eventId: id }] }));
    if (/^[0-9a-f]{10}$/.test(id)) return among(await samples.find({ digest: id }));
    return wordFilter('words', text);
  }
}

const nothing = { items: [], nextCursor: null };
const among = (samples: readonly Pick<ErrorSampleRow, 'groupId'>[]) => ({
  _id: { $in: samples.map(({ groupId }) => groupId) },
});
const toSample = ({ report, receivedAt }: ErrorSampleRow) => ({ ...report, receivedAt: receivedAt.toISOString() });
