import { Injectable } from '@nestjs/common';
import { Problem, type Model, type ModelKey } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { BuiltInAssistant } from './built-in-assistant.ts';
import { ModelFailure, type ModelClient } from './model-client.ts';
import { OpenAiCompatibleClient } from './openai-compatible-client.ts';
import { Outbound } from './outbound.ts';
import { builtInModel, modelsOf, splitModelKey } from './provider.ts';
import { ProvidersRepository } from './providers.repository.ts';
import { ProvidersService } from './providers.service.ts';

@Injectable()
export class ModelsService {
  private readonly builtIn = new BuiltInAssistant();

  constructor(private readonly providers: ProvidersRepository, private readonly keys: ProvidersService, private readonly outbound: Outbound) {}

  async list(scope: OrganisationScope): Promise<Model[]> {
    return modelsOf(await this.providers.list(scope));
  }

  /** The wanted model, or the organisation's default; one that is not offered is `chat.model-not-found`. */
  async choose(scope: OrganisationScope, wanted: ModelKey | undefined): Promise<Model> {
    const models = await this.list(scope);
    const model = models.find(({ key, isDefault }) => (wanted === undefined ? isDefault : key === wanted)) ?? (wanted === undefined ? builtInModel : undefined);
    if (!model) throw new Problem('chat.model-not-found', { detail: 'The model is not offered any more. Choose another one.' });
    return model;
  }

  /** Throws `ModelFailure` when the provider is gone. */
  async client(scope: OrganisationScope, key: ModelKey): Promise<ModelClient> {
    const wanted = splitModelKey(key);
    if (!wanted) return this.builtIn;
    const provider = await this.providers.find(scope, wanted.providerId);
    if (!provider) throw new ModelFailure('model-missing', 'The provider was removed.');
    return new OpenAiCompatibleClient({ baseUrl: provider.baseUrl, apiKey: this.keys.openKey(scope, provider), outbound: this.outbound.client }, wanted.model);
  }
}
