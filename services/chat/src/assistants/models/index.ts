import { Module } from '@nestjs/common';
import {
  acceptProviderOffer,
  allowAddress,
  createProvider,
  deleteProvider,
  disallowAddress,
  listAllowedAddresses,
  listProviderOffers,
  listProviders,
  testProvider,
  updateProvider,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { AllowedAddressesService } from './allowed-addresses.service.ts';
import { EmbeddingModels } from './embedding-models.ts';
import { ModelsService } from './models.service.ts';
import { Outbound } from './outbound.ts';
import { ProviderOffers } from './provider-offers.ts';
import { ProvidersRepository } from './providers.repository.ts';
import { ProvidersService } from './providers.service.ts';

export {
  ModelFailure,
  plainRequest,
  type ModelClient,
  type ModelPart,
  type OnPart,
  type ModelRequest,
  type ModelMessage,
  type NumberedPassage,
  type ModelFile,
  type ModelImage,
} from './model-client.ts';
export { NothingFound } from './nothing-found.ts';
export { searchedOf } from './searched-of.ts';
export {
  budgetOf,
  inputTokens,
  inputTokensAtMost,
  recentMessages,
  tokensOf,
  tokensOfModelMessage,
  type Prompt,
} from './prompt.ts';
export { answerAnyway } from './images.ts';
export { Outbound } from './outbound.ts';
export { embeddingProvidersToJobs, embedPassages } from './embedding-jobs.ts';
export { EmbeddingModels, type EmbeddingModel } from './embedding-models.ts';
export { isRefusalOfTexts, mayHaveUsed, type Embedded } from './embedding-client.ts';
export { splitModelKey } from './provider.ts';
export { ModelsService, readingOf, type ChosenModel, type Reading } from './models.service.ts';

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
  providers: [ProvidersRepository, ProviderOffers, Outbound, EmbeddingModels],
  exports: [ProvidersService, ProvidersRepository, Outbound, EmbeddingModels],
});

/** Which addresses in private networks providers may have. */
export const allowedAddressesFeature = feature({
  routes: { list: listAllowedAddresses, allow: allowAddress, disallow: disallowAddress },
  handlers: AllowedAddressesService,
  imports: [providersFeature],
});

/** The models that people choose from, the built-in assistant among them, and how they are asked. */
@Module({ imports: [providersFeature], providers: [ModelsService], exports: [ModelsService] })
export class ModelsModule {}
