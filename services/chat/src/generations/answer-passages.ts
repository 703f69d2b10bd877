import { Injectable } from '@nestjs/common';
import type { ChatbotId, UserId } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { CuratedAnswerFinder, type CuratedPassage } from '../curated-answers/index.ts';
import { PassageSearch } from '../embeddings/index.ts';
import { answers, type FoundPassage, type Within } from '../retrieval/index.ts';

type Wanted = {
  readonly chatbotId: ChatbotId;
  readonly asker: { readonly userId: UserId; readonly groupIds: readonly string[] | null };
  readonly question: string;
  /** What documents are searched for. */
  readonly searched: string;
  readonly within: Within;
  /** So many of documents. */
  readonly most: number;
  /** Nobody judges them any more: only those that answer the question. */
  readonly isQuoted: boolean;
};

/** What an answer is made of: a curated answer first, then passages of documents. */
@Injectable()
export class AnswerPassages {
  constructor(
    private readonly curated: CuratedAnswerFinder,
    private readonly documents: PassageSearch,
  ) {}

  async find(
    scope: OrganisationScope,
    { chatbotId, asker: { userId, groupIds }, question, searched, within, most, isQuoted }: Wanted,
  ): Promise<(CuratedPassage | FoundPassage)[]> {
    const asker = { userId, groupIds: groupIds ?? [], chatbotId };
    const [curated, found] = await Promise.all([
      this.curated.find(scope, chatbotId, question),
      most === 0 ? [] : this.documents.find(scope, within, { text: searched, asker, most }),
    ]);
    const passages = isQuoted ? found.filter(answers) : found;
    return curated ? [curated, ...passages] : passages;
  }
}
