import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { orderConfirmed, organisationUpdated, seatsRaised, type DataOf, type EventEnvelope } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { Mongo, type Rows } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { AuditLog } from '../audit/index.ts';
import { MembershipsRepository, organisationRows, People } from '../rights/index.ts';

/** Seats are ordered from billing: they are there once it has told that an order was confirmed. */
@Controller()
export class SeatOrdersConsumer {
  private readonly organisations: Rows<typeof organisationRows>;

  constructor(
    mongo: Mongo,
    private readonly memberships: MembershipsRepository,
    private readonly people: People,
    private readonly audit: AuditLog,
    private readonly platform: Platform,
  ) {
    this.organisations = mongo.rows(organisationRows);
  }

  /** Where a platform admin has taken the limit away meanwhile, there stays none. */
  @EventPattern<string>(orderConfirmed.type, { consumer: 'raise-seat-limit' })
  async raiseLimit(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof orderConfirmed>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { orgId, orderId, seats, by } = data;
    const { name, seatLimit: before } = await this.memberships.organisation(scope, tx);
    const after = before === null ? null : before + seats;
    if (after !== null) {
      const row = await this.organisations
        .within(scope, tx)
        .change({ _id: orgId }, { $set: { seatLimit: after }, $inc: { version: 1 } });
      tx.record(organisationUpdated, { orgId, version: row!.version });
      await this.audit.write(scope, tx, {
        principal: { userId: by, name: (await this.people.find(by)).name },
        act: 'organisation.seat-limit-changed',
        target: { id: orgId, name },
        before: { seatLimit: before },
        after: { seatLimit: after, order: orderId },
        at: new Date(time),
      });
    }
    await this.platform.failpoint('seats-written-not-committed');
    tx.record(seatsRaised, { orgId, orderId, before, after });
  }
}
