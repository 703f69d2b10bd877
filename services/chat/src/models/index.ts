import {
  acceptProviderOffer,
  createProvider,
  deleteProvider,
  listModels,
  listProviderOffers,
  listProviders,
  testProvider,
  updateProvider,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { documentsFeature } from '../documents/index.ts';
import { ModelsService } from './models.service.ts';
import { Outbound } from './outbound.ts';
import { ProviderOffers } from './provider-offers.ts';
import { ProvidersRepository } from './providers.repository.ts';
import { ProvidersService } from './providers.service.ts';

export {
  ModelFailure,
  type ModelClient,
  type ModelPart,
  type ModelTurn,
  type NumberedPassage,
} from './model-client.ts';
export { ModelsService, type ChosenModel } from './models.service.ts';

/** Where models are: the organisation's providers, their keys, and what may be called. */
export const providersFeature = feature({
  routes: {
    list: listProviders,
    create: createProvider,
    update: updateProvider,
    delete: deleteProvider,
    test: testProvider,
    listOffers: listProviderOffers,
    acceptOffer: acceptProviderOffer,
  },
  handlers: ProvidersService,
  providers: [ProvidersRepository, ProviderOffers, Outbound],
  exports: [ProvidersService, ProvidersRepository, Outbound],
});

/** The models that people choose from, the built-in assistant among them, and how they are asked. */
export const modelsFeature = feature({
  routes: { list: listModels },
  handlers: ModelsService,
  imports: [providersFeature, documentsFeature],
  exports: [ModelsService],
});
