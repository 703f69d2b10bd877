import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { orderChanged, seatsRaised } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { Mongo, type Rows } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { orderRows } from './order.collection.ts';

@Controller()
export class OrdersConsumer {
  private readonly orders: Rows<typeof orderRows>;

  constructor(
    mongo: Mongo,
    private readonly platform: Platform,
  ) {
    this.orders = mongo.rows(orderRows);
  }

  /** The page of the order shows it as done once org has raised the limit. */
  @EventPattern<string>(seatsRaised.type, { consumer: 'note-seats' })
  async noteSeats(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof seatsRaised>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { orgId, orderId, before, after } = data;
    await this.platform.failpoint('seats-raised-not-noted');
    const raised = { before, after, at: new Date(time) };
    const isNoted = await this.orders
      .within(scope, tx)
      .update({ _id: orderId, raised: null }, { $set: { raised }, $inc: { version: 1 } });
    if (isNoted) tx.record(orderChanged, { orgId, orderId, change: 'seats-raised' });
  }
}
