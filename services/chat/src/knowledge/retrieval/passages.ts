import { Injectable } from '@nestjs/common';
import type { getPassage } from '@parley/contracts';
import { Problem, type ResponseOf } from '@parley/protocol';
import type { InputOf } from '@parley/platform/service';
import { ReadableConnections } from '../connections/index.ts';
import { KeywordIndex } from './keyword-index.ts';

@Injectable()
export class Passages {
  constructor(
    private readonly retrieval: KeywordIndex,
    private readonly readable: ReadableConnections,
  ) {}

  /** What the reader may not read is as if it were gone. */
  async read({ scope, principal, params }: InputOf<typeof getPassage>): Promise<ResponseOf<typeof getPassage>> {
    const passage = await this.retrieval.find(scope, await this.readable.of(scope, principal), params.chunkId);
    if (!passage)
      throw new Problem('chat.passage-not-found', { detail: 'The document was deleted or read again since.' });
    const { asOf, indexedAt } = passage;
    return { ...passage, asOf: asOf?.toISOString() ?? null, indexedAt: indexedAt.toISOString() };
  }
}
