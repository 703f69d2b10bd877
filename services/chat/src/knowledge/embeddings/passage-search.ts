import { Injectable } from '@nestjs/common';
import type { OrganisationScope } from '@parley/platform/mongo';
import { fuse, KeywordIndex, type FoundPassage, type Within } from '../retrieval/index.ts';
import { MeaningSearch, type Question } from './meaning-search.ts';

/** So far down either list a passage counts. */
const mostListed = 24;

/**
 * Finds passages by their words, and by what they mean where the organisation's provider embeds: both orders become one.
 * Where it does not, or has not answered in time, the order is that of the words.
 */
@Injectable()
export class PassageSearch {
  constructor(
    private readonly retrieval: KeywordIndex,
    private readonly meaning: MeaningSearch,
  ) {}

  async find(scope: OrganisationScope, within: Within, question: Question): Promise<FoundPassage[]> {
    const { text, most } = question;
    const comparable = await this.meaning.ready(scope, within);
    if (!comparable) return this.retrieval.search(scope, within, text, most);
    const listed = Math.max(most, mostListed);
    const [byWords, byMeaning] = await Promise.all([
      this.retrieval.search(scope, within, text, listed),
      this.meaning.nearest(scope, within, { ...comparable, ...question, most: listed }),
    ]);
    return (byMeaning ? fuse(byWords, byMeaning) : byWords).slice(0, most);
  }
}
