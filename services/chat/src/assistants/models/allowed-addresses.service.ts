import { Injectable } from '@nestjs/common';
import {
  addressesChanged,
  type allowAddress,
  type AllowedAddress,
  type disallowAddress,
  type listAllowedAddresses,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { isNeverCalled } from '@parley/platform/outbound';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
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
    private readonly work: Work,
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
    const row = await this.work.run(principal, async (tx) => {
      const kept = await this.providers.consentsOf(scope, tx).insertOnce(given);
      if (kept.isNew) tx.record(addressesChanged, { by: principal.userId, address, change: 'allowed' });
      return kept.row;
    });
    await this.outbound.reload();
    return toAllowed(row);
  }

  async disallow({ scope, principal, query }: InputOf<typeof disallowAddress>): Promise<void> {
    const { address } = query;
    await this.work.run(principal, async (tx) => {
      const isGone = await this.providers.consentsOf(scope, tx).delete({ _id: address });
      if (isGone) tx.record(addressesChanged, { by: principal.userId, address, change: 'revoked' });
    });
    await this.outbound.reload();
  }
}

const toAllowed = ({ _id: address, givenBy, givenByName, at }: ConsentRow): AllowedAddress => ({
  address,
  by: { userId: givenBy, name: givenByName ?? null },
  at: at.toISOString(),
});
