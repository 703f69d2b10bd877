import { Injectable } from '@nestjs/common';
import { assumedContextTokens, type Model, type ModelKey } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import type { OrganisationScope } from '@parley/platform/mongo';
import { BuiltInAssistant } from './built-in-assistant.ts';
import { clientFor } from './client-for.ts';
import { ModelFailure, type ModelClient } from './model-client.ts';
import { Outbound } from './outbound.ts';
import {
  builtInModel,
  contextOf,
  hostOf,
  modelKeyOf,
  imagesOf,
  modelsOf,
  splitModelKey,
  toProvider,
  type Upstream,
} from './provider.ts';
import type { ProviderRow } from './provider.collection.ts';
import { ProvidersRepository } from './providers.repository.ts';
import { ProvidersService } from './providers.service.ts';

/** `upstream` is null for the built-in assistant; `client` throws when the key cannot be opened. */
export type ChosenModel = {
  readonly model: Model;
  readonly upstream: Upstream | null;
  readonly client: () => ModelClient;
};

/** What a model reads: how many tokens at once, and what of images; null: none. */
export type Reading = { readonly contextTokens: number; readonly images: NonNullable<Model['images']> | null };

export const readingOf = ({ context, images = null }: Pick<Model, 'context' | 'images'>): Reading => ({
  contextTokens: context?.tokens ?? assumedContextTokens,
  images,
});

@Injectable()
export class ModelsService {
  private readonly builtIn = new BuiltInAssistant();

  constructor(
    private readonly providers: ProvidersRepository,
    private readonly keys: ProvidersService,
    private readonly outbound: Outbound,
  ) {}

  /** What people can choose from, the built-in assistant among them. */
  async offered(scope: OrganisationScope): Promise<Model[]> {
    return modelsOf(await this.providers.list(scope));
  }

  /** See `choice`. */
  async choose(scope: OrganisationScope, wanted: ModelKey | undefined): Promise<ChosenModel> {
    return (await this.choice(scope))(wanted);
  }

  /**
   * Chooses among what is offered now: the wanted model, or the organisation's default; one that is not offered is
   * `chat.model-not-found`.
   */
  async choice(scope: OrganisationScope): Promise<(wanted: ModelKey | undefined) => ChosenModel> {
    const providers = await this.providers.list(scope);
    return (wanted) => this.chosen(scope, providers, wanted);
  }

  /** All that can be asked beside the built-in assistant; `isLocal` where its server is in a private network. */
  async upstreams(
    scope: OrganisationScope,
  ): Promise<(Upstream & { readonly key: ModelKey; readonly isLocal: boolean })[]> {
    const providers = await this.providers.list(scope);
    return providers.flatMap((provider) => {
      const [host, isLocal] = [hostOf(provider), this.outbound.isLocal(provider.baseUrl)];
      return provider.models.map((model) => ({ key: modelKeyOf(provider._id, model), host, model, isLocal }));
    });
  }

  /** Throws `ModelFailure` when the provider is gone. */
  async client(scope: OrganisationScope, key: ModelKey): Promise<ModelClient> {
    const name = splitModelKey(key);
    const provider = name && (await this.providers.list(scope)).find(({ _id }) => _id === name.providerId);
    return this.clientOf(scope, provider, name);
  }

  /** How many tokens the model reads at once, and whether it accepts images; see `Model`. */
  async reading(scope: OrganisationScope, key: ModelKey): Promise<Reading> {
    const name = splitModelKey(key);
    const provider = (await this.providers.list(scope)).find(({ _id }) => _id === name?.providerId);
    return readingOf(
      name && provider
        ? { context: contextOf(provider, name.model), images: imagesOf(provider, name.model) }
        : { context: null, images: null },
    );
  }

  private chosen(
    scope: OrganisationScope,
    providers: readonly ProviderRow[],
    wanted: ModelKey | undefined,
  ): ChosenModel {
    const models = modelsOf(providers);
    const model =
      models.find(({ key, isDefault }) => (wanted === undefined ? isDefault : key === wanted)) ??
      (wanted === undefined ? builtInModel : undefined);
    if (!model)
      throw new Problem('chat.model-not-found', { detail: 'The model is not offered any more. Choose another one.' });
    const name = splitModelKey(model.key);
    const provider = providers.find(({ _id }) => _id === name?.providerId);
    return {
      model,
      upstream: name && provider ? { host: hostOf(provider), model: name.model } : null,
      client: () => this.clientOf(scope, provider, name),
    };
  }

  private clientOf(
    scope: OrganisationScope,
    provider: ProviderRow | null | undefined,
    name: ReturnType<typeof splitModelKey>,
  ): ModelClient {
    if (!name) return this.builtIn;
    if (!provider) throw new ModelFailure('model-missing', 'The provider was removed.');
    const { kind, baseUrl, thinks } = toProvider(provider);
    const apiKey = this.keys.openKey(scope, provider);
    return clientFor({ kind, baseUrl, apiKey, outbound: this.outbound.answers }, { model: name.model, thinks });
  }
}
