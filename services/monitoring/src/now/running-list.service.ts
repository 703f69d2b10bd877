import { Injectable } from '@nestjs/common';
import {
  allows,
  findMembers,
  mostRunningAnswers,
  type listRunningAnswers,
  type RunningAnswer,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform, type InputOf } from '@parley/platform/service';
import type { ResponseOf, UserId } from '@parley/protocol';
import { RunningAnswers } from '../running-answers/index.ts';
import { NowService } from './now.service.ts';
import { shownProgress } from './progress.ts';

type Person = NonNullable<RunningAnswer['person']>;
const asking = { deadlineMs: 2_000, failMode: 'refuse' } as const;

/** The answers that are being written, or wait for it. */
@Injectable()
export class RunningListService {
  constructor(
    private readonly running: RunningAnswers,
    private readonly now: NowService,
    private readonly platform: Platform,
    private readonly clock: Clock,
  ) {}

  /** Who asked is for those who may see who is active; all others see that somebody did. */
  async list({ scope, principal }: InputOf<typeof listRunningAnswers>): Promise<ResponseOf<typeof listRunningAnswers>> {
    const { userId, organisation } = principal;
    const maySeePeople = allows({ userId, permissions: organisation.permissions }, 'member:read_pii');
    const [rows, count] = await Promise.all([
      this.running.list(scope, mostRunningAnswers),
      this.running.countAll(scope),
    ]);
    const askers = maySeePeople ? [...new Set(rows.map((row) => row.userId))] : [];
    const [told, people] = await Promise.all([this.now.progress(scope, rows), this.people(scope, askers)]);
    const at = this.clock.now();
    const items = rows.map((row) => ({
      generationId: row._id,
      model: row.model,
      person: people.get(row.userId) ?? null,
      queuedAt: row.queuedAt.toISOString(),
      ...shownProgress(row, told?.get(row._id), at),
    }));
    return { items, count };
  }

  private async people({ orgId }: OrganisationScope, among: UserId[]): Promise<ReadonlyMap<UserId, Person>> {
    if (among.length === 0) return new Map();
    const body = { among, limit: mostRunningAnswers };
    const { items } = await this.platform.peers.call(findMembers, { params: { orgId }, body }, asking);
    return new Map(items.map(({ userId, name, picture }) => [userId, { userId, name, picture }]));
  }
}
