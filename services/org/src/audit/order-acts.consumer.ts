import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { invoiceChanged, orderChanged, type DataOf, type EventEnvelope } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { People } from '../rights/index.ts';
import { AuditLog } from './audit-log.ts';

/** Orders are billing's: what is done with them, their invoices and payments is written down once billing has told it. */
@Controller()
export class OrderActsConsumer {
  constructor(
    private readonly audit: AuditLog,
    private readonly people: People,
  ) {}

  /** That seats were raised stands there as a change of their limit. */
  @EventPattern<string>(orderChanged.type, { consumer: 'audit-order' })
  async writeOrder(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof orderChanged>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { orderId, change, act } = data;
    if (!act || change === 'seats-raised') return;
    const { by, reason, ...ordered } = act;
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: (await this.people.find(by)).name },
      act: `order.${change}`,
      target: { id: orderId, name: orderId },
      ...(change === 'withdrawn' || change === 'refused' ? { before: ordered } : { after: ordered }),
      reason,
      at: new Date(time),
    });
  }

  @EventPattern<string>(invoiceChanged.type, { consumer: 'audit-invoice' })
  async writeInvoice(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof invoiceChanged>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { invoiceId, change, act } = data;
    if (!act) return;
    const { by, number, ...amount } = act;
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: (await this.people.find(by)).name },
      act: change === 'issued' ? 'invoice.issued' : 'payment.recorded',
      target: { id: invoiceId, name: number },
      after: amount,
      at: new Date(time),
    });
  }
}
