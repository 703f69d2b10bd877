import type { MessageFile } from '@parley/contracts';
import type { ModelTurn } from '../../../assistants/models/index.ts';
import type { TurnRow } from '../../../conversations/index.ts';
import type { Ask } from '../rows/ask.ts';

/** A turn with the files that its question was sent with. */
export type PathTurn = ModelTurn & { readonly attached?: readonly MessageFile[] | undefined };

/**
 * Questions with their newest answer that has a text, up to the one to answer; a question without one is followed by the
 * next. An answer's text is in its row once it has ended.
 */
export function turnsTo(
  { questionId, asked }: Pick<Ask, 'questionId'> & { readonly asked: Asked | null },
  rows: readonly TurnRow[],
): PathTurn[] {
  const turns: PathTurn[] = [];
  for (const question of rows.filter(({ role }) => role === 'person')) {
    turns.push(turnOf(question));
    if (question._id === questionId) return turns;
    const answer = rows.findLast(
      ({ role, parentId, text }) => role === 'assistant' && parentId === question._id && text !== '',
    );
    if (answer) turns.push({ role: 'assistant', text: answer.text });
  }
  return asked ? [...turns, turnOf(asked)] : turns;
}

type Asked = Pick<TurnRow, 'text'> & { readonly files?: readonly MessageFile[] | undefined };
const turnOf = ({ text, files = [] }: Asked): PathTurn => ({
  role: 'person',
  text,
  ...(files.length > 0 && { attached: files }),
});
