import { Injectable } from '@nestjs/common';
import { getPerson, type UserId } from '@parley/contracts';
import { Platform } from '@parley/platform/service';
import type { Person } from './membership.ts';

const asking = { deadlineMs: 5_000, failMode: 'refuse' } as const;

/** People as auth knows them, asked when a membership begins and when auth says that something has changed. */
@Injectable()
export class People {
  constructor(private readonly platform: Platform) {}

  async find(userId: UserId): Promise<Person> {
    const { name, email, version } = await this.platform.peers.call(getPerson, { params: { userId } }, asking);
    return { name, email, version };
  }
}
