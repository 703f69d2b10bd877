import { Injectable } from '@nestjs/common';
import { Problem, type getPassage, type ResponseOf } from '@parley/contracts';
import type { InputOf } from '@parley/platform/service';
import { RetrievalIndex } from './retrieval-index.ts';

@Injectable()
export class Passages {
  constructor(private readonly retrieval: RetrievalIndex) {}

  async read({ scope, params }: InputOf<typeof getPassage>): Promise<ResponseOf<typeof getPassage>> {
    const passage = await this.retrieval.find(scope, params.chunkId);
    if (!passage)
      throw new Problem('chat.passage-not-found', { detail: 'The document was deleted or read again since.' });
    return { ...passage, indexedAt: passage.indexedAt.toISOString() };
  }
}
