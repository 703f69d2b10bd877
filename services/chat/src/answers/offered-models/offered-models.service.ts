import { Injectable } from '@nestjs/common';
import type { listModels } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import type { ResponseOf } from '@parley/protocol';
import { ModelsService } from '../../assistants/models/index.ts';
import { ReadableConnections } from '../../knowledge/connections/index.ts';
import { DocumentsService } from '../../knowledge/documents/index.ts';
import { ModelPrices } from './model-prices.ts';

type Offered = Pick<ResponseOf<typeof listModels>, 'items' | 'pricesChangeInSeconds'>;

/** Serves the choices that people have before they ask. */
@Injectable()
export class OfferedModelsService {
  constructor(
    private readonly models: ModelsService,
    private readonly documents: DocumentsService,
    private readonly readable: ReadableConnections,
    private readonly prices: ModelPrices,
  ) {}

  /** Lists the models, and counts the documents that answers for this person can use. */
  async list({ scope, principal }: InputOf<typeof listModels>): Promise<ResponseOf<typeof listModels>> {
    const [{ items, ...changing }, { documentCount, indexedAt }] = await Promise.all([
      this.offered(scope, principal.organisation?.permissions.includes('usage:read_own') ?? false),
      this.readable.of(scope, principal).then((within) => this.documents.state(scope, within)),
    ]);
    return { items, documentCount, indexedAt: indexedAt?.toISOString() ?? null, ...changing };
  }

  /** Returns the models; with prices if the person can see the cost of their answers. */
  private async offered(scope: OrganisationScope, isPriced: boolean): Promise<Offered> {
    if (!isPriced) return { items: await this.models.offered(scope) };
    const [models, upstreams] = await Promise.all([this.models.offered(scope), this.models.upstreams(scope)]);
    const { priceOf, changesInSeconds } = await this.prices.of(scope, upstreams);
    const byKey = new Map(upstreams.map((upstream) => [upstream.key, priceOf(upstream)]));
    const items = models.map((model) => {
      const price = byKey.get(model.key);
      return price === undefined ? model : { ...model, price };
    });
    return { items, ...(changesInSeconds && { pricesChangeInSeconds: changesInSeconds }) };
  }
}
