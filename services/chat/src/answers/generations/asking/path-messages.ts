import type { MessageFile } from '@parley/contracts';
import type { ModelMessage } from '../../../assistants/models/index.ts';
import type { PathRow } from '../../../conversations/index.ts';
import type { Ask } from '../rows/ask.ts';

/** A message with the files that its question was sent with. */
export type PathMessage = ModelMessage & { readonly attached?: readonly MessageFile[] | undefined };

/**
 * Returns the questions up to the one to answer, each with its newest answer that has text. A question without such an
 * answer is followed by the next. Reads an answer's text from its row, which has it once the answer has ended.
 */
export function messagesTo(
  { questionId, asked }: Pick<Ask, 'questionId'> & { readonly asked: Asked | null },
  rows: readonly PathRow[],
): PathMessage[] {
  const path: PathMessage[] = [];
  for (const question of rows.filter(({ role }) => role === 'person')) {
    path.push(messageOf(question));
    if (question._id === questionId) return path;
    const answer = rows.findLast(
      ({ role, parentId, text }) => role === 'assistant' && parentId === question._id && text !== '',
    );
    if (answer) path.push({ role: 'assistant', text: answer.text });
  }
  return asked ? [...path, messageOf(asked)] : path;
}

type Asked = Pick<PathRow, 'text'> & { readonly files?: readonly MessageFile[] | undefined };
const messageOf = ({ text, files = [] }: Asked): PathMessage => ({
  role: 'person',
  text,
  ...(files.length > 0 && { attached: files }),
});
