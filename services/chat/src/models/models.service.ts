import { Injectable } from '@nestjs/common';
import { Problem, type listModels, type Model, type ModelKey, type ResponseOf } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { ReadableConnections } from '../connections/index.ts';
import { DocumentsService } from '../documents/index.ts';
import { BuiltInAssistant } from './built-in-assistant.ts';
import { clientFor } from './client-for.ts';
import { ModelFailure, type ModelClient } from './model-client.ts';
import { Outbound } from './outbound.ts';
import { builtInModel, hostOf, modelsOf, splitModelKey, toProvider, type Upstream } from './provider.ts';
import type { ProviderRow } from './provider.collection.ts';
import { ProvidersRepository } from './providers.repository.ts';
import { ProvidersService } from './providers.service.ts';

/** `upstream` is null for the built-in assistant; `client` throws when the key cannot be opened. */
export type ChosenModel = {
  readonly model: Model;
  readonly upstream: Upstream | null;
  readonly client: () => ModelClient;
};

@Injectable()
export class ModelsService {
  private readonly builtIn = new BuiltInAssistant();

  constructor(
    private readonly providers: ProvidersRepository,
    private readonly keys: ProvidersService,
    private readonly outbound: Outbound,
    private readonly documents: DocumentsService,
    private readonly readable: ReadableConnections,
  ) {}

  /** Also how much there is for this person to be answered from. */
  async list({ scope, principal }: InputOf<typeof listModels>): Promise<ResponseOf<typeof listModels>> {
    const [providers, { documentCount, indexedAt }] = await Promise.all([
      this.providers.list(scope),
      this.readable.of(scope, principal).then((within) => this.documents.state(scope, within)),
    ]);
    return { items: modelsOf(providers), documentCount, indexedAt: indexedAt?.toISOString() ?? null };
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

  /** Throws `ModelFailure` when the provider is gone. */
  async client(scope: OrganisationScope, key: ModelKey): Promise<ModelClient> {
    const name = splitModelKey(key);
    return this.clientOf(scope, name ? await this.providers.find(scope, name.providerId) : null, name);
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
