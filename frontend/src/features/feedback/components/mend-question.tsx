import { Textarea } from '@mantine/core';
import { useText } from '../../../lib/text.ts';

export type Own = { question: string; onQuestion: (question: string) => void };

/** The question as it was sent along, or as whoever asks has it: nobody else's words are there without consent. */
export function Question({ question, onQuestion, most }: Own & { most: number }) {
  const { t } = useText();
  return (
    <Textarea
      label={t({ id: 'feedback.mend.question', defaultMessage: 'Question' })}
      autosize
      minRows={1}
      maxRows={6}
      maxLength={most}
      dir="auto"
      value={question}
      onChange={(event) => onQuestion(event.currentTarget.value)}
    />
  );
}
