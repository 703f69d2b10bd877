export { RetrievalIndex, type FoundPassage, type Passage } from './retrieval-index.ts';
export { RetrievalModule } from './retrieval.module.ts';
