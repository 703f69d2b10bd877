import { getPassage } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { ConnectionsModule } from '../connections/index.ts';
import { KeywordIndex } from './keyword-index.ts';
import { PassageSettler } from './passage-settler.ts';
import { PassageVectors } from './passage-vectors.ts';
import { Passages } from './passages.ts';

export { longestHeading, passageSizes } from './chunk.collection.ts';
export { textBytesOf } from './passage-rows.ts';
export { storedTextBytes, storedVectorBytes } from './stored-bytes.ts';
export { passageSearchKeys, passageStems } from './passage-keys.ts';
export {
  answers,
  byStem,
  inverseFrequency,
  leastSimilarity,
  lengthIn,
  relevance,
  timesIn,
  wordCounts,
} from './ranking.ts';
export { fuse, type Ranks } from './fuse.ts';
export { mostVectorBytes, PassageVectors, type Unvectored } from './passage-vectors.ts';
export { bestOf, toBytes, VectorSet } from './vector-set.ts';
export { KeywordIndex };
export type { FoundPassage, Passage, Within } from './passage.ts';

/** Finding passages: the port and its keyword index, and what passages mean, where a model says it. */
export const retrievalFeature = feature({
  routes: { read: getPassage },
  handlers: Passages,
  providers: [KeywordIndex, PassageVectors, PassageSettler],
  imports: [ConnectionsModule],
  exports: [KeywordIndex, PassageVectors],
});
