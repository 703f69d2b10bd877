import { Controller } from '@nestjs/common';
import { getPassage, Problem, type ResponseOf } from '@parley/contracts';
import { Input, Route, type InputOf } from '@parley/platform/service';
import { RetrievalIndex } from './retrieval-index.ts';

@Controller()
export class PassagesController {
  constructor(private readonly retrieval: RetrievalIndex) {}

  @Route(getPassage)
  async read(@Input() { scope, params }: InputOf<typeof getPassage>): Promise<ResponseOf<typeof getPassage>> {
    const passage = await this.retrieval.find(scope, params.chunkId);
    if (!passage)
      throw new Problem('chat.passage-not-found', { detail: 'The document was deleted or read again since.' });
    return { ...passage, indexedAt: passage.indexedAt.toISOString() };
  }
}
