import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { addressProofRequested, userRegistered } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { jobScope } from '@parley/platform/mongo';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { AddressProofsService } from './address-proofs.service.ts';

const proving = jobScope('asking whether an address is whose account it is');
type Asked = EventEnvelope<DataOf<typeof addressProofRequested>>;

@Controller()
export class AddressProofsConsumer {
  constructor(private readonly proofs: AddressProofsService) {}

  /** Nothing for whom a mailed invitation has proven it already. */
  @EventPattern<string>(userRegistered.type, { consumer: 'prove-new-address' })
  async proveNew(@Payload() { id, data }: Asked, @Ctx() { tx }: EventContext): Promise<void> {
    await this.proofs.send(tx, proving.of(data.userId), id);
  }

  @EventPattern<string>(addressProofRequested.type, { consumer: 'prove-address-again' })
  async proveAgain(@Payload() { id, data }: Asked, @Ctx() { tx }: EventContext): Promise<void> {
    await this.proofs.send(tx, proving.of(data.userId), id);
  }
}
