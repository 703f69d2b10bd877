import { Injectable } from '@nestjs/common';
import { getPerson, knowsAddress } from '@parley/contracts';
import type { ResponseOf, UserId } from '@parley/protocol';
import { Platform } from '@parley/platform/service';
import type { Person } from './membership.ts';

const asking = { deadlineMs: 5_000, failMode: 'refuse' } as const;

export type KnownPerson = Person & {
  readonly isProven: boolean;
  /** When the account was created; undefined where auth is of an earlier version. */
  readonly createdAt?: Date | undefined;
} & Pick<ResponseOf<typeof getPerson>, 'invitedBy'>;

/** People as auth knows them, asked when a membership begins and when auth says that something has changed. */
@Injectable()
export class People {
  constructor(private readonly platform: Platform) {}

  async find(userId: UserId): Promise<KnownPerson> {
    const asked = await this.platform.peers.call(getPerson, { params: { userId } }, asking);
    const { name, picture, email, isProven, invitedBy, version } = asked;
    const createdAt = asked.createdAt === undefined ? undefined : new Date(asked.createdAt);
    return { name, picture, email, isProven, createdAt, invitedBy, version };
  }

  /** Whether anybody has an account with the address; only for whoever proves to get its mail. */
  async isKnown(email: string): Promise<boolean> {
    return (await this.platform.peers.call(knowsAddress, { body: { email } }, asking)).isKnown;
  }
}
