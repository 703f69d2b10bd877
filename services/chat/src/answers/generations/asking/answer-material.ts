import type { ChatbotContent, ChatbotId, MessageFile } from '@parley/contracts';
import { wholeTokens } from '@parley/contracts/prompt-budget';
import type { OrganisationScope } from '@parley/platform/mongo';
import { searchedOf, type Reading } from '../../../assistants/models/index.ts';
import type { Within } from '../../../knowledge/retrieval/index.ts';
import type { Ask } from '../rows/ask.ts';
import { beginningOf } from '../rows/continuation.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { attachFiles } from './answer-files.ts';
import type { AnswerFiles, AnswerPassages } from './answer-passages.ts';
import { newCitations, numbered } from './citations.ts';
import { fittingPassages } from './fitting-passages.ts';
import type { PathMessage } from './path-messages.ts';

type Wanted = {
  readonly ask: Ask;
  readonly answerer: {
    readonly chatbotId: ChatbotId;
    readonly content: ChatbotContent;
    /** Null for the built-in assistant. */
    readonly upstream: Generation['upstream'];
    readonly reading: Reading;
  };
  readonly wishes: {
    readonly path: readonly PathMessage[];
    readonly before: readonly MessageFile[];
    readonly maxOutputTokens: number | null;
  };
  readonly within: Within;
  /** The most passages of documents that the answer gets. */
  readonly most: number;
  /** Files of the project, which are always searched. */
  readonly ofProject: AnswerFiles;
  readonly instructions: string;
};

/** Returns the messages with their attachments, and the passages that fit beside them. */
export async function gatherMaterial(
  sources: AnswerPassages,
  scope: OrganisationScope,
  { ask, answerer, wishes, within, most, ofProject, instructions }: Wanted,
) {
  const { chatbotId, content, upstream, reading } = answerer;
  const { contextTokens } = reading;
  const { onlyFromDocuments } = content.knowledge;
  const continued = ask.kind === 'chat' ? ask.continued : null;
  const { maxOutputTokens } = wishes;
  const told = { instructions, onlyFromDocuments, beginning: beginningOf({ continued }), maxOutputTokens };
  const mostTokens = upstream === null ? 0 : wholeTokens(contextTokens);
  const attached = { ...wishes, reading, mostTokens, told, mayFind: most > 0 || ofProject.length > 0 };
  const { path, searched } = await attachFiles(sources, scope, attached);
  const found = await sources.find(scope, {
    chatbotId,
    asker: ask.asker,
    question: path.at(-1)?.text ?? '',
    searched: searchedOf(path),
    within,
    most,
    files: [...searched, ...ofProject],
    isQuoted: upstream === null || onlyFromDocuments,
  });
  const cited = continued?.citations ?? [];
  // The built-in assistant reads no prompt.
  const passages =
    upstream === null ? numbered(found, cited) : fittingPassages({ ...told, path, contextTokens }, { found, cited });
  return { path, passages, citations: [...cited, ...newCitations(passages, cited)], isFound: found.length > 0 };
}
