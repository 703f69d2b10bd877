import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import {
  flowChanged,
  generationQueued,
  membershipAdded,
  membershipRemoved,
  organisationCreated,
  organisationResumed,
  organisationSuspended,
  organisationUpdated,
} from '@parley/contracts';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import type { EventContext } from '@parley/platform/event-bus';
import { AllOrganisationsService } from './all-organisations.service.ts';

/** Whatever happened, what org says now is copied: no order of these events leaves an older state. */
@Controller()
export class AllOrganisationsConsumer {
  constructor(private readonly organisations: AllOrganisationsService) {}

  @EventPattern<string>(organisationCreated.type, { consumer: 'overview-created' })
  created(@Ctx() context: EventContext): Promise<void> {
    return this.renew(context);
  }

  @EventPattern<string>(organisationUpdated.type, { consumer: 'overview-updated' })
  updated(@Ctx() context: EventContext): Promise<void> {
    return this.renew(context);
  }

  @EventPattern<string>(organisationSuspended.type, { consumer: 'overview-suspended' })
  suspended(@Ctx() context: EventContext): Promise<void> {
    return this.renew(context);
  }

  @EventPattern<string>(organisationResumed.type, { consumer: 'overview-resumed' })
  resumed(@Ctx() context: EventContext): Promise<void> {
    return this.renew(context);
  }

  @EventPattern<string>(flowChanged.type, { consumer: 'overview-approved' })
  approved(@Ctx() context: EventContext): Promise<void> {
    return this.renew(context);
  }

  @EventPattern<string>(membershipAdded.type, { consumer: 'overview-joined' })
  joined(@Ctx() context: EventContext): Promise<void> {
    return this.renew(context);
  }

  @EventPattern<string>(membershipRemoved.type, { consumer: 'overview-left' })
  left(@Ctx() context: EventContext): Promise<void> {
    return this.renew(context);
  }

  @EventPattern<string>(generationQueued.type, { consumer: 'overview-activity', kind: 'batch' })
  active(
    @Payload() events: readonly EventEnvelope<DataOf<typeof generationQueued>>[],
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    // In their order, so that of each organisation the last one stays.
    const latest = new Map(events.map(({ data, time }) => [data.orgId, new Date(time)]));
    return this.organisations.noteActivity(latest, tx);
  }

  private renew({ scope, tx }: EventContext): Promise<void> {
    return this.organisations.renew(scope, tx);
  }
}
