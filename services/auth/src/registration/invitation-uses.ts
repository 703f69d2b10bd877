import { Injectable } from '@nestjs/common';
import { hashSecret } from '@parley/platform/crypto';
import { jobScope, Mongo, type Rows, type Transaction } from '@parley/platform/mongo';
import { Problem } from '@parley/protocol';
import { invitationUseRows } from './invitation-use.collection.ts';

const counting = jobScope('how many have registered by an invitation');
export type UsedInvitation = { readonly token: string; readonly maxUses: number; readonly endsAt: Date };

/** Counts who registers by an invitation: whoever has its link makes no more accounts than it has uses. */
@Injectable()
export class InvitationUses {
  private readonly uses: Rows<typeof invitationUseRows>;

  constructor(mongo: Mongo) {
    this.uses = mongo.rows(invitationUseRows);
  }

  /** Counts one more in the transaction that makes the account; `org.invitation-ended` beyond its maximum uses. */
  async count(tx: Transaction, { token, maxUses, endsAt }: UsedInvitation): Promise<void> {
    const _id = hashSecret(token);
    const uses = this.uses.within(counting, tx);
    await uses.insertOnce({ _id, count: 0, endsAt });
    const counted = await uses.change({ _id }, { $inc: { count: 1 } });
    if (!counted || counted.count > maxUses)
      throw new Problem('org.invitation-ended', { detail: 'As many people as it is for have registered by it.' });
  }
}
