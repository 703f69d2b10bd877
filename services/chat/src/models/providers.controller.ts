import { Controller } from '@nestjs/common';
import {
  acceptProviderOffer,
  createProvider,
  deleteProvider,
  listProviderOffers,
  listProviders,
  testProvider,
  updateProvider,
  type Provider,
  type ResponseOf,
} from '@parley/contracts';
import { Input, Route, type InputOf } from '@parley/platform/service';
import { ProvidersService } from './providers.service.ts';

@Controller()
export class ProvidersController {
  constructor(private readonly providers: ProvidersService) {}

  @Route(listProviders)
  async list(@Input() { scope }: InputOf<typeof listProviders>): Promise<ResponseOf<typeof listProviders>> {
    return { items: await this.providers.list(scope), nextCursor: null };
  }

  @Route(createProvider)
  create(@Input() { scope, principal, body }: InputOf<typeof createProvider>): Promise<Provider> {
    return this.providers.create(scope, principal, body);
  }

  @Route(updateProvider)
  update(@Input() { scope, principal, params, body }: InputOf<typeof updateProvider>): Promise<Provider> {
    return this.providers.update(scope, principal, { id: params.providerId, ...body });
  }

  @Route(deleteProvider)
  delete(@Input() { scope, principal, params }: InputOf<typeof deleteProvider>): Promise<void> {
    return this.providers.delete(scope, principal, params.providerId);
  }

  @Route(testProvider)
  test(@Input() { scope, body }: InputOf<typeof testProvider>): Promise<ResponseOf<typeof testProvider>> {
    return this.providers.test(scope, body);
  }

  @Route(listProviderOffers)
  async listOffers(
    @Input() { principal }: InputOf<typeof listProviderOffers>,
  ): Promise<ResponseOf<typeof listProviderOffers>> {
    return { items: await this.providers.listOffers(principal) };
  }

  @Route(acceptProviderOffer)
  acceptOffer(@Input() { scope, principal, body }: InputOf<typeof acceptProviderOffer>): Promise<Provider> {
    return this.providers.acceptOffer(scope, principal, body);
  }
}
