import { getEmbedding } from '@parley/contracts';
import { feature, runBy } from '@parley/platform/service';
import { BudgetsModule } from '../../assistants/budgets/index.ts';
import { embedPassages, providersFeature } from '../../assistants/models/index.ts';
import { retrievalFeature } from '../retrieval/index.ts';
import { EmbeddingCalls } from './embedding-calls.ts';
import { EmbeddingStep } from './embedding-step.ts';
import { EmbeddingsRepository } from './embeddings.repository.ts';
import { EmbeddingsService } from './embeddings.service.ts';
import { MeaningSearch } from './meaning-search.ts';
import { PassageSearch } from './passage-search.ts';

export {
  asking,
  askingFor,
  EmbeddingCalls,
  passagesPerBatch,
  passageText,
  type Answer,
  type Asker,
  type PassagesCall,
} from './embedding-calls.ts';
export { embeddingRowsToJobs } from './embedding.collection.ts';
export { MeaningSearch, PassageSearch };

/** What passages and questions mean, where a provider embeds (docs/adr/0030), and finding by words and meaning together. */
export const embeddingsFeature = feature({
  routes: { read: getEmbedding },
  handlers: EmbeddingsService,
  jobs: [runBy(embedPassages, EmbeddingStep)],
  imports: [BudgetsModule, providersFeature, retrievalFeature],
  providers: [EmbeddingsRepository, EmbeddingCalls, MeaningSearch, PassageSearch],
  exports: [EmbeddingCalls, MeaningSearch, PassageSearch],
});
