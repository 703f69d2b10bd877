import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { ledgerEntryAdded } from '@parley/contracts';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import type { EventContext } from '@parley/platform/event-bus';
import { CountPeople } from './count-people.ts';

@Controller()
export class PeopleConsumer {
  constructor(private readonly counting: CountPeople) {}

  @EventPattern<string>(ledgerEntryAdded.type, { consumer: 'count-people', kind: 'batch' })
  count(
    @Payload() events: readonly EventEnvelope<DataOf<typeof ledgerEntryAdded>>[],
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    return this.counting.count(
      events.map(({ data }) => data),
      tx,
    );
  }
}
