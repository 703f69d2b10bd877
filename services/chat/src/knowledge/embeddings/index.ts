import { getEmbedding } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { BudgetsModule } from '../../assistants/budgets/index.ts';
import { providersFeature } from '../../assistants/models/index.ts';
import { retrievalFeature } from '../retrieval/index.ts';
import { EmbeddingCalls } from './embedding-calls.ts';
import { EmbeddingStep } from './embedding-step.ts';
import { EmbeddingsRepository } from './embeddings.repository.ts';
import { EmbeddingsService } from './embeddings.service.ts';
import { MeaningSearch } from './meaning-search.ts';
import { PassageEmbedder } from './passage-embedder.ts';
import { PassageSearch } from './passage-search.ts';

export {
  EmbeddingCalls,
  estimatedTokens,
  mayBeUsed,
  usedOf,
  type Asker,
  type EmbeddingCall,
} from './embedding-calls.ts';
export { harmless, passageText } from './embedding-step.ts';
export { MeaningSearch, PassageSearch };

/** What passages and questions mean, where a provider embeds (docs/adr/0030), and finding by words and meaning together. */
export const embeddingsFeature = feature({
  routes: { read: getEmbedding },
  handlers: EmbeddingsService,
  imports: [BudgetsModule, providersFeature, retrievalFeature],
  providers: [EmbeddingsRepository, EmbeddingCalls, EmbeddingStep, PassageEmbedder, MeaningSearch, PassageSearch],
  exports: [EmbeddingCalls, MeaningSearch, PassageSearch],
});
