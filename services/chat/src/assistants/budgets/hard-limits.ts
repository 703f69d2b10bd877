import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isCountedBy, quotaLimits, type BudgetScope, type BudgetUse, type budgetChanged } from '@parley/contracts';
import { jobScope, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Clock } from '@parley/platform/clock';
import { Platform } from '@parley/platform/service';
import type { DataOf, OrgId } from '@parley/protocol';
import { Reloads } from '../../reloads.ts';
import { hardLimitKey, hardLimitRows } from './hard-limit.collection.ts';

/** What was looked up longer ago is not relied on. */
const reliedMs = 2_000;
const looking = jobScope('which organisations have hard limits is known before anybody asks');

/**
 * Under which hard limits answers are written, as billing has told: at once in the process of chat that was told, after two
 * seconds at most in the others, however slow they are. Organisations without any are known by heart, so that their
 * questions wait for no store.
 */
@Injectable()
export class HardLimits implements OnModuleInit {
  private readonly rows: Rows<typeof hardLimitRows>;
  /** Had a limit at some time since the start; whether it still has one is looked up. */
  private readonly limited = new Set<OrgId>();
  /** When the last look at all of them began. */
  private reloadedAt = 0;

  constructor(
    mongo: Mongo,
    private readonly platform: Platform,
    private readonly clock: Clock,
    private readonly reloads: Reloads,
  ) {
    this.rows = mongo.rows(hardLimitRows);
  }

  async onModuleInit(): Promise<void> {
    await this.reloads.add(() => this.reload());
  }

  async keep(
    scope: OrganisationScope,
    { budgetId, version, scope: counted, hasHardLimit }: DataOf<typeof budgetChanged>,
    tx: Transaction,
  ): Promise<void> {
    const rows = this.rows.within(scope, tx);
    const _id = hardLimitKey(scope.orgId, budgetId);
    // A process of an earlier version keys it by the budget alone.
    await rows.deleteMany({ _id: { $in: [_id, budgetId] } });
    if (!hasHardLimit) return;
    this.limited.add(scope.orgId); // Before the commit: a look too many does no harm.
    await rows.insert({ _id, orgId: scope.orgId, scope: counted, version });
  }

  async list(scope: OrganisationScope): Promise<BudgetScope[]> {
    if (!this.limited.has(scope.orgId) && this.isUpToDate()) return [];
    const rows = await this.rows.within(scope).find({ orgId: scope.orgId }, { limit: quotaLimits.budgets.highest });
    return rows.map((row) => row.scope);
  }

  /** Where nobody else is told, what was looked up at the start stays true. */
  private isUpToDate(): boolean {
    return this.platform.isAlone || this.clock.now().getTime() - this.reloadedAt < reliedMs;
  }

  /** What other processes were told. */
  async reload(): Promise<void> {
    const begun = this.clock.now().getTime();
    for (const { orgId } of await this.rows.within(looking).find({}, { fields: ['orgId'] })) this.limited.add(orgId);
    this.reloadedAt = begun;
  }
}

/** Whether one of these counts what is used so. */
export const isBounded = (limits: readonly BudgetScope[], use: BudgetUse): boolean =>
  limits.some((scope) => isCountedBy(scope, use));
