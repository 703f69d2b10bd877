import type { OrgId } from '@parley/contracts';

/**
 * The places of one worker, one for each answer that it writes at the same time. An organisation has at most half of
 * them, used or not: so there is one for the next organisation however long the answers of another one take.
 */
export class Places {
  private readonly takenBy = new Map<OrgId, number>();
  private taken = 0;
  private readonly all: number;
  private readonly mostOfOne: number;

  constructor(all: number) {
    this.all = all;
    this.mostOfOne = Math.max(1, Math.floor(all / 2));
  }

  get free(): number {
    return this.all - this.taken;
  }

  /** False when all are taken, or the organisation has its half. */
  take(orgId: OrgId): boolean {
    if (this.isFullFor(orgId)) return false;
    this.takenBy.set(orgId, this.ownOf(orgId) + 1);
    this.taken += 1;
    return true;
  }

  giveBack(orgId: OrgId): void {
    const own = this.ownOf(orgId) - 1;
    if (own > 0) this.takenBy.set(orgId, own);
    else this.takenBy.delete(orgId);
    this.taken -= 1;
  }

  /** The organisations that get none until one of their answers ends. */
  withTheirHalf(): OrgId[] {
    return [...this.takenBy].filter(([, own]) => own >= this.mostOfOne).map(([orgId]) => orgId);
  }

  /** Whether this organisation's next question would wait. */
  isFullFor(orgId: OrgId): boolean {
    return this.free <= 0 || this.ownOf(orgId) >= this.mostOfOne;
  }

  private ownOf(orgId: OrgId): number {
    return this.takenBy.get(orgId) ?? 0;
  }
}
