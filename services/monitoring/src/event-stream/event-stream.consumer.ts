import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { eventsBell, outsideTypes } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import type { EventEnvelope } from '@parley/protocol';
import { EventStream } from './event-stream.ts';

const keeping = jobScope('events of all organisations come together');

/** A ring may come before the commit: readers look a moment later, and every second in any case. */
@Controller()
export class EventStreamConsumer {
  constructor(
    private readonly stream: EventStream,
    private readonly platform: Platform,
  ) {}

  /** What is told again happened before, and nothing happened now. */
  @EventPattern<string[]>([...outsideTypes], { consumer: 'tell-outside', kind: 'batch' })
  async keep(@Payload() events: readonly EventEnvelope[], @Ctx() { tx }: EventContext): Promise<void> {
    const fresh = events.filter(({ snapshot }) => !snapshot);
    for (const [orgId, own] of Map.groupBy(fresh, ({ tenantid }) => tenantid)) {
      if (orgId === null) continue;
      await this.stream.append(keeping.in(orgId), tx, own);
      this.platform.doorbell.ring(eventsBell(orgId));
    }
  }
}
