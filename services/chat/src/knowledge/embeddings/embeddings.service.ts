import { Injectable } from '@nestjs/common';
import type { getEmbedding } from '@parley/contracts';
import type { ResponseOf } from '@parley/protocol';
import type { InputOf } from '@parley/platform/service';
import { EmbeddingModels, splitModelKey } from '../../assistants/models/index.ts';
import { PassageVectors } from '../retrieval/index.ts';
import { EmbeddingsRepository } from './embeddings.repository.ts';

@Injectable()
export class EmbeddingsService {
  constructor(
    private readonly embeddings: EmbeddingsRepository,
    private readonly models: EmbeddingModels,
    private readonly vectors: PassageVectors,
  ) {}

  /** Vectors of another model do not count. */
  async read({ scope }: InputOf<typeof getEmbedding>): Promise<ResponseOf<typeof getEmbedding>> {
    const [model, row, counted] = await Promise.all([
      this.models.of(scope, 'passages'),
      this.embeddings.find(scope),
      this.vectors.count(scope),
    ]);
    const isOfIt = model !== null && row?.of === model.key;
    return {
      model: model && { providerId: splitModelKey(model.key)!.providerId, name: model.upstream.model },
      passages: counted.passages,
      withVectors: isOfIt && !row.isForgetting ? counted.withVectors : 0,
      refused: isOfIt && !row.isForgetting ? counted.refused : 0,
      failure: isOfIt ? row.failure : null,
      isFull: isOfIt && row.isFull,
    };
  }
}
