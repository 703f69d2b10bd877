import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  isCountedBy,
  mostBudgets,
  type BudgetScope,
  type BudgetUse,
  type DataOf,
  type OrgId,
  type budgetChanged,
} from '@parley/contracts';
import { jobScope, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { hardLimitRows } from './hard-limit.collection.ts';

const reloadMs = 1_000;
const looking = jobScope('which organisations have hard limits is known before anybody asks');

/**
 * Under which hard limits answers are written, as billing has told: about a second after it was set, two where another
 * process of chat was told. Organisations without any are known by heart, so that their questions wait for no store.
 */
@Injectable()
export class HardLimits implements OnModuleInit, OnApplicationShutdown {
  private readonly rows: Rows<typeof hardLimitRows>;
  /** Had a limit at some time since the start; whether it still has one is looked up. */
  private readonly limited = new Set<OrgId>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    mongo: Mongo,
    private readonly platform: Platform,
  ) {
    this.rows = mongo.rows(hardLimitRows);
  }

  async onModuleInit(): Promise<void> {
    await this.reload();
    if (this.platform.isAlone) return; // Nobody else is told.
    this.timer = setInterval(() => void this.reload().catch(() => undefined), reloadMs);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async keep(
    scope: OrganisationScope,
    { budgetId: _id, version, scope: counted, hasHardLimit }: DataOf<typeof budgetChanged>,
    tx: Transaction,
  ): Promise<void> {
    const rows = this.rows.within(scope, tx);
    await rows.delete({ _id });
    if (!hasHardLimit) return;
    this.limited.add(scope.orgId); // Before the commit: a look too many does no harm.
    await rows.insert({ _id, orgId: scope.orgId, scope: counted, version });
  }

  async list(scope: OrganisationScope): Promise<BudgetScope[]> {
    if (!this.limited.has(scope.orgId)) return [];
    const rows = await this.rows.within(scope).find({ orgId: scope.orgId }, { limit: mostBudgets });
    return rows.map((row) => row.scope);
  }

  /** What other processes were told. */
  async reload(): Promise<void> {
    for (const { orgId } of await this.rows.within(looking).find({}, { fields: ['orgId'] })) this.limited.add(orgId);
  }
}

/** Whether one of these counts what is used so. */
export const isBounded = (limits: readonly BudgetScope[], use: BudgetUse): boolean =>
  limits.some((scope) => isCountedBy(scope, use));
