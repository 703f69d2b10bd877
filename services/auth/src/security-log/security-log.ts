import { Injectable } from '@nestjs/common';
import type { listSecurityLog, SecurityEntry, SecurityKind } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Counts } from '@parley/platform/counts';
import { Sealer } from '@parley/platform/crypto';
import { derivedId, newId } from '@parley/platform/ids';
import { jobScope, Mongo, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import type { ResponseOf, UserId } from '@parley/protocol';
import { UsersRepository, type User } from '../users/index.ts';
import { securityRows, type SecurityRow } from './security-entry.collection.ts';

const logging = jobScope('the security log belongs to the installation');
const hourMs = 3_600_000;
/** Failures of unknown addresses per hour, then they share one entry: random addresses can't fill the log. */
export const mostUnknownPerHour = 200;

export type FailedSignIn = {
  /** As typed; only its keyed hash is stored. */
  readonly email: string;
  /** Whose address it is; null where it has no account. */
  readonly userId: UserId | null;
  readonly network: string | null;
};

/** The installation's log of sign-ins, sign-outs and failed sign-ins, kept for 90 days. */
@Injectable()
export class SecurityLog {
  private readonly entries: Rows<typeof securityRows>;

  constructor(
    mongo: Mongo,
    private readonly users: UsersRepository,
    private readonly sealer: Sealer,
    private readonly counts: Counts,
    private readonly clock: Clock,
  ) {
    this.entries = mongo.rows(securityRows);
  }

  /** Records a sign-in or sign-out in the transaction that starts or ends the session. */
  async record(
    tx: Transaction,
    {
      kind,
      userId,
      network,
    }: { kind: Exclude<SecurityKind, 'sign-in-failed'>; userId: UserId; network: string | null },
  ): Promise<void> {
    const at = this.clock.now();
    await this.entries
      .within(logging, tx)
      .insert({ _id: newId('securityEntry'), kind, at, lastAt: at, count: 1, userId, unknownAddress: null, network });
  }

  /**
   * Counts a failed sign-in in the entry of its account and hour. Takes the same steps with and without an account, so
   * that its duration doesn't reveal which addresses have one.
   */
  async countFailure({ email, userId, network }: FailedSignIn): Promise<void> {
    const now = this.clock.now();
    const hour = Math.floor(now.getTime() / hourMs);
    const fingerprint = this.sealer.fingerprint(email, 'security-log');
    const { count } = await this.counts.count(`security-log:${userId === null ? 'unknown' : 'known'}`, hourMs);
    const unknownAddress = userId !== null || count > mostUnknownPerHour ? null : fingerprint;
    await this.entries
      .within(logging)
      .upsert(
        { _id: derivedId('securityEntry', ['sign-in-failed', userId, unknownAddress, hour]) },
        {
          $set: { lastAt: now, network },
          $inc: { count: 1 },
          $setOnInsert: { kind: 'sign-in-failed', at: now, userId, unknownAddress },
        },
      );
  }

  /** Lists entries newest first; see the contract. */
  async list({ scope, query }: InputOf<typeof listSecurityLog>): Promise<ResponseOf<typeof listSecurityLog>> {
    const { kind, ...page } = query;
    const where = kind === undefined ? {} : { kind };
    const rows = this.entries.within(scope);
    const { items, nextCursor } = await rows.page(page, { by: { at: -1, _id: -1 }, where, to: (row) => row });
    const ids = new Set(items.flatMap(({ userId }) => userId ?? []));
    const people = new Map((await this.users.findAll(scope, [...ids])).map((user) => [user.id, user]));
    return { items: items.map((row) => toEntry(row, people)), nextCursor };
  }
}

function toEntry(row: SecurityRow, people: ReadonlyMap<UserId, User>): SecurityEntry {
  const { _id, kind, at, lastAt, count, userId, unknownAddress, network } = row;
  const person = userId === null ? undefined : people.get(userId);
  return {
    id: _id,
    kind,
    at: at.toISOString(),
    lastAt: lastAt.toISOString(),
    count,
    person: person ? { userId: person.id, name: person.name, email: person.email } : null,
    unknownAddress,
    network,
  };
}
