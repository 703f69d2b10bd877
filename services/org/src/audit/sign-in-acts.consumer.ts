import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { limits, sessionCreated, type DataOf, type EventEnvelope } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { jobScope, Mongo, type Rows } from '@parley/platform/mongo';
import { membershipRows } from '../rights/index.ts';
import { AuditLog } from './audit-log.ts';

const job = jobScope("a person's sign-in is recorded in each of their organisations");

/** Records sign-ins, which auth publishes, in the organisations where the person was an active member. */
@Controller()
export class SignInActsConsumer {
  private readonly memberships: Rows<typeof membershipRows>;

  constructor(
    mongo: Mongo,
    private readonly audit: AuditLog,
  ) {
    this.memberships = mongo.rows(membershipRows);
  }

  /** Reads memberships page by page: joining many organisations hides no sign-in from any of them. */
  @EventPattern<string>(sessionCreated.type, { consumer: 'audit-signed-in' })
  async write(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof sessionCreated>>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    const { userId } = data;
    const at = new Date(time);
    const mine = this.memberships.within(job.of(userId), tx);
    for (let after = '', isMore = true; isMore;) {
      const some = await mine.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: limits.pageSize });
      for (const { orgId, name, status, joinedAt } of some)
        if (status === 'active' && joinedAt <= at)
          await this.audit.write(job.in(orgId), tx, {
            principal: { userId, name },
            act: 'member.signed-in',
            target: { id: userId, name },
            at,
          });
      after = some.at(-1)?._id ?? after;
      isMore = some.length === limits.pageSize;
    }
  }
}
