import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { hashSecret } from '@parley/platform/crypto';
import { jobScope, Mongo, type Rows, type Transaction } from '@parley/platform/mongo';
import type { UserId } from '@parley/protocol';
import type { Origin } from '../users/index.ts';
import { networkAccountRows } from './network-account.collection.ts';

const dayMs = 24 * 3_600_000;
const noting = jobScope('which account of a network was the first one of a day');

/** Knows which accounts a network registered on the same day: for a day they use one flow (ADR 0031). */
@Injectable()
export class NetworkAccounts {
  private readonly rows: Rows<typeof networkAccountRows>;

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
  ) {
    this.rows = mongo.rows(networkAccountRows);
  }

  /** Returns the first account of the network on this day (UTC), which counts for a day; null where it is this one. */
  async note(tx: Transaction, { network, userId }: Registered): Promise<Origin['sameNetworkAs']> {
    const now = this.clock.now().getTime();
    const day = Math.floor(now / dayMs);
    const _id = hashSecret(`${day} ${network}`);
    const rows = this.rows.within(noting, tx);
    await rows.insertOnce({ _id, userId, endsAt: new Date((day + 1) * dayMs) });
    const first = await rows.findById(_id);
    return first && first.userId !== userId ? { userId: first.userId, until: new Date(now + dayMs) } : null;
  }
}
type Registered = { readonly network: string; readonly userId: UserId };
