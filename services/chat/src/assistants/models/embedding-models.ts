import { Injectable } from '@nestjs/common';
import type { ModelKey } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { embedTexts, type Embedded } from './embedding-client.ts';
import { Outbound } from './outbound.ts';
import { hostOf, modelKeyOf, toProvider, type Upstream } from './provider.ts';
import { ProvidersRepository } from './providers.repository.ts';
import { ProvidersService } from './providers.service.ts';

/** The model that gives an organisation's passages and questions their vectors. */
export type EmbeddingModel = {
  readonly key: ModelKey;
  readonly upstream: Upstream;
  /** Rejects with `ModelFailure`. */
  readonly embed: (texts: readonly string[], signal: AbortSignal) => Promise<Embedded>;
};

@Injectable()
export class EmbeddingModels {
  constructor(
    private readonly providers: ProvidersRepository,
    private readonly keys: ProvidersService,
    private readonly outbound: Outbound,
  ) {}

  /** Null where no provider of the organisation names one. Passages keep nobody who waits from a connection. */
  async of(scope: OrganisationScope, what: 'passages' | 'questions'): Promise<EmbeddingModel | null> {
    const provider = (await this.providers.list(scope)).find(({ embeddingModel }) => embeddingModel);
    if (!provider?.embeddingModel) return null;
    const model = provider.embeddingModel;
    const { kind, baseUrl } = toProvider(provider);
    const outbound = what === 'passages' ? this.outbound.sources : this.outbound.client;
    return {
      key: modelKeyOf(provider._id, model),
      upstream: { host: hostOf(provider), model },
      embed: async (texts, signal) => {
        const server = { kind, baseUrl, apiKey: this.keys.openKey(scope, provider), outbound };
        return embedTexts(server, { model, texts }, signal);
      },
    };
  }
}
