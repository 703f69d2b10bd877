import type { Citation } from '@parley/contracts';
import { PromptBudget } from '@parley/contracts/prompt-budget';
import { budgetOf, tokensOfModelMessage, type ModelMessage, type Prompt } from '../../../assistants/models/index.ts';
import type { FoundForAnswer } from './answer-passages.ts';
import { numbered } from './citations.ts';

type Given = { readonly found: readonly FoundForAnswer[]; readonly cited: readonly Citation[] };

/**
 * Numbers the passages that fit beside the messages that must be sent. These begin at the oldest message with a whole
 * file or an image, which `attachFiles` has chosen. Drops the last passages first, of documents or of files, whichever
 * are more.
 */
export function fittingPassages(prompt: Omit<Prompt, 'passages'>, { found, cited }: Given) {
  const needed = promised(prompt.path).reduce((sum, message) => sum + tokensOfModelMessage(message), 0);
  let passages = numbered(found, cited);
  while (passages.length > 0 && budgetOf({ ...prompt, passages }).left < needed)
    passages = numbered(PromptBudget.withoutLast(passages), cited);
  return passages;
}

/** Returns whether the message brings the model the text of a file, or an image. */
export const hasContent = ({ files = [], images = [] }: ModelMessage): boolean =>
  files.some(({ text }) => text !== null) || images.some(({ read }) => read !== null);

function promised(path: readonly ModelMessage[]): readonly ModelMessage[] {
  const first = path.findIndex(hasContent);
  return path.slice(first < 0 ? -1 : first);
}
