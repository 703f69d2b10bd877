import { Injectable } from '@nestjs/common';
import {
  Problem,
  type allowAddress,
  type AllowedAddress,
  type disallowAddress,
  type listAllowedAddresses,
  type ResponseOf,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { isNeverCalled } from '@parley/platform/outbound';
import type { InputOf } from '@parley/platform/service';
import type { ConsentRow } from './provider.collection.ts';
import { Outbound } from './outbound.ts';
import { ProvidersRepository } from './providers.repository.ts';

/** Which non-public addresses platform admins have allowed; who and when stands with each. */
@Injectable()
export class AllowedAddressesService {
  constructor(
    private readonly providers: ProvidersRepository,
    private readonly outbound: Outbound,
    private readonly clock: Clock,
  ) {}

  list({ scope, query }: InputOf<typeof listAllowedAddresses>): Promise<ResponseOf<typeof listAllowedAddresses>> {
    return this.providers.consentsOf(scope).page(query, { by: { _id: 1 }, to: toAllowed });
  }

  async allow({ scope, principal, body }: InputOf<typeof allowAddress>): Promise<AllowedAddress> {
    const { address } = body;
    if (isNeverCalled(address.slice(0, address.lastIndexOf(':'))))
      throw new Problem('platform.address-not-allowed', {
        detail: `${address} is never called: clouds tell their secrets at such addresses.`,
      });
    const { userId: givenBy, name: givenByName } = principal;
    const given = { _id: address, givenBy, givenByName, at: this.clock.now() };
    const { row } = await this.providers.consentsOf(scope).insertOnce(given);
    await this.outbound.reload();
    return toAllowed(row);
  }

  async disallow({ scope, query }: InputOf<typeof disallowAddress>): Promise<void> {
    await this.providers.consentsOf(scope).delete({ _id: query.address });
    await this.outbound.reload();
  }
}

const toAllowed = ({ _id: address, givenBy, givenByName, at }: ConsentRow): AllowedAddress => ({
  address,
  by: { userId: givenBy, name: givenByName ?? null },
  at: at.toISOString(),
});
