import { proveAddress, requestAddressProof } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { mailsFeature } from '../mails/index.ts';
import { UsersModule } from '../users/index.ts';
import { AddressProofsConsumer } from './address-proofs.consumer.ts';
import { AddressProofsService } from './address-proofs.service.ts';

export const addressProofsFeature = feature({
  routes: { request: requestAddressProof, prove: proveAddress },
  handlers: AddressProofsService,
  consumers: [AddressProofsConsumer],
  imports: [UsersModule, mailsFeature],
});
