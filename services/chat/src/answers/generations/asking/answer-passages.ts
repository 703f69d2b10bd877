import { Injectable } from '@nestjs/common';
import type { ChatbotId, MessageFile } from '@parley/contracts';
import { passagesOfFiles } from '@parley/contracts/prompt-budget';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { UserId } from '@parley/protocol';
import { CuratedAnswerFinder, type CuratedPassage } from '../../../knowledge/curated-answers/index.ts';
import { PassageSearch } from '../../../knowledge/embeddings/index.ts';
import { FileSearch, SeenImages, type FilePassage } from '../../../knowledge/files/index.ts';
import { answers, type FoundPassage, type Within } from '../../../knowledge/retrieval/index.ts';

type Wanted = {
  readonly chatbotId: ChatbotId;
  readonly asker: { readonly userId: UserId; readonly groupIds: readonly string[] | null };
  readonly question: string;
  /** The text to search documents for. */
  readonly searched: string;
  readonly within: Within;
  /** The most passages of documents that the answer gets. */
  readonly most: number;
  /** Files to search besides documents: of the chat, newest questions first, then of its project. */
  readonly files: AnswerFiles;
  /**
   * True if passages are quoted without a model that judges them: then only passages that answer the question are
   * found.
   */
  readonly isQuoted: boolean;
};

export type AnswerFiles = readonly Pick<MessageFile, 'id' | 'name'>[];
export type FoundForAnswer = CuratedPassage | FoundPassage | FilePassage;

/**
 * Finds the material of an answer: a curated answer first, then passages of documents and of files of the chat or its
 * project.
 */
@Injectable()
export class AnswerPassages {
  constructor(
    private readonly curated: CuratedAnswerFinder,
    private readonly documents: PassageSearch,
    readonly files: FileSearch,
    readonly images: SeenImages,
  ) {}

  async find(
    scope: OrganisationScope,
    { chatbotId, asker: { userId, groupIds }, question, searched, within, most, files, isQuoted }: Wanted,
  ): Promise<FoundForAnswer[]> {
    const asker = { userId, groupIds: groupIds ?? [], chatbotId };
    const [curated, found, ofFiles] = await Promise.all([
      this.curated.find(scope, chatbotId, question),
      most === 0 ? [] : this.documents.find(scope, within, { text: searched, asker, most }),
      this.files.find(scope, { files, question: searched, most: passagesOfFiles, asker }),
    ]);
    const all = [...found, ...ofFiles];
    const passages = isQuoted ? all.filter(answers) : all;
    return curated ? [curated, ...passages] : passages;
  }
}
