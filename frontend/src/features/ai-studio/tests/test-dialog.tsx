import { Button, Textarea } from '@mantine/core';
import type { ChatbotId, ChatbotTest, DocumentId, TestExpectation, Trial } from '@parley/contracts';
import { useState } from 'react';
import { isProblem } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import form from '../../../ui/form.module.css';
import { useActionOff } from '../../../ui/stale.tsx';
import { useSaveTest } from '../state/tests.ts';
import { PassageRows, type PassageRow } from '../draft/passage-rows/index.tsx';

type Props = {
  chatbotId: ChatbotId;
  /** Null makes a new one. */
  test: ChatbotTest | null;
  /** What a new one begins with: what was asked, and what was cited. */
  from: Trial | null;
  onClose: () => void;
};
type Values = { question: string; words: string; passages: PassageRow[] };

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

function valuesOf({ test, from }: Pick<Props, 'test' | 'from'>): Values {
  if (test)
    return {
      question: test.question,
      words: test.expects.words.join('\n'),
      passages: test.expects.passages.map(({ documentId, words }) => ({ documentId, words: words ?? '' })),
    };
  const cited = [...new Set((from?.citations ?? []).map(({ documentId }) => documentId))];
  return {
    question: from?.question ?? '',
    words: '',
    passages: cited.map((documentId) => ({ documentId, words: '' })),
  };
}

const expectsOf = ({ words, passages }: Values): TestExpectation => ({
  words: linesOf(words),
  passages: passages
    .filter(({ documentId }) => documentId !== '')
    .map((row) => ({ documentId: row.documentId as DocumentId, words: row.words.trim() || null })),
});

/** A question, and what has to come of it. */
export function TestDialog({ chatbotId, test, from, onClose }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const [id] = useState(() => newId('chatbotTest'));
  const { create, change, refresh } = useSaveTest(chatbotId);
  const { fields, submit, failure, isBusy } = useServerForm<Values, ChatbotTest>({
    initialValues: valuesOf({ test, from }),
    validate: {
      question: (value) =>
        value.trim() === '' ? t({ id: 'studio.test.noQuestion', defaultMessage: 'It needs a question.' }) : null,
      words: (value, values) => {
        const { words, passages } = expectsOf(values);
        if (words.length + passages.length === 0)
          return t({
            id: 'studio.test.expectsNothing',
            defaultMessage: 'Say what has to come of it: words, or a document.',
          });
        return linesOf(value).length > 10 || words.some((one) => one.length > 200)
          ? t({ id: 'studio.test.tooMany', defaultMessage: 'Ten lines of up to 200 characters at most.' })
          : null;
      },
    },
    send: (values) => {
      const words = { question: values.question.trim(), expects: expectsOf(values) };
      return test ? change(test, words) : create(id, words);
    },
    onSent: () => {
      refresh();
      onClose();
    },
    onRefused: (error) => isProblem(error, 'platform.conflict') && refresh(),
  });
  return (
    <Dialog
      title={
        test
          ? t({ id: 'studio.test.editTitle', defaultMessage: 'Edit test' })
          : t({ id: 'studio.test.addTitle', defaultMessage: 'New test' })
      }
      onClose={onClose}
    >
      <form className={form.form} onSubmit={submit}>
        <Textarea
          name="question"
          label={t({ id: 'studio.test.question', defaultMessage: 'Question' })}
          rows={2}
          maxLength={2_000}
          dir="auto"
          data-autofocus
          {...fields.getInputProps('question')}
        />
        <Textarea
          name="words"
          label={t({ id: 'studio.test.words', defaultMessage: 'The answer says' })}
          description={t({
            id: 'studio.test.wordsAbout',
            defaultMessage: 'One on each line, all of them; case and accents do not count.',
          })}
          rows={3}
          dir="auto"
          {...fields.getInputProps('words')}
        />
        <PassageRows
          rows={fields.values.passages}
          onChange={(passages) => fields.setFieldValue('passages', passages)}
        />
        <FormFailureNote failure={failure} />
        <div className={form.actions}>
          <Button type="submit" loading={isBusy} {...off}>
            {test
              ? t({ id: 'studio.test.save', defaultMessage: 'Save test' })
              : t({ id: 'studio.tests.add', defaultMessage: 'Add test' })}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'studio.publish.cancel', defaultMessage: 'Cancel' })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
