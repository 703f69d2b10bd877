import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { orderConfirmed, organisationUpdated, seatsRaised } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { Mongo, type Rows } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { Approvals, MembershipsRepository, organisationRows, settingsOf } from '../rights/index.ts';

/** Seats are ordered from billing: they are there once it has published that an order was confirmed. */
@Controller()
export class SeatOrdersConsumer {
  private readonly organisations: Rows<typeof organisationRows>;

  constructor(
    mongo: Mongo,
    private readonly memberships: MembershipsRepository,
    private readonly approvals: Approvals,
    private readonly platform: Platform,
  ) {
    this.organisations = mongo.rows(organisationRows);
  }

  /** Raises the seat limit, unless a platform admin has removed the limit since the order. Approves the organisation in any case. */
  @EventPattern<string>(orderConfirmed.type, { consumer: 'raise-seat-limit' })
  async raiseLimit(
    @Payload() { data }: EventEnvelope<DataOf<typeof orderConfirmed>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { orgId, orderId, seats, by } = data;
    const organisation = await this.memberships.organisation(scope, tx);
    const { seatLimit: before } = organisation;
    const after = before === null ? null : before + seats;
    if (after !== null) {
      const row = await this.organisations
        .within(scope, tx)
        .change({ _id: orgId }, { $set: { seatLimit: after }, $inc: { version: 1 } });
      const [was, is] = [settingsOf(organisation), settingsOf(row!)];
      const act = { did: 'seat-limit', before: was, after: is, by } as const;
      tx.record(organisationUpdated, { orgId, version: row!.version, act });
    }
    await this.approvals.set(scope, tx, { isApproved: true, by });
    await this.platform.failpoint('seats-written-not-committed');
    tx.record(seatsRaised, { orgId, orderId, before, after });
  }
}
