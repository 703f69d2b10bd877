import { Button, TextInput } from '@mantine/core';
import type { ChatbotId } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import classes from '../feedback.module.css';
import { Question, type Own } from './mend-question.tsx';

const longestTestQuestion = 2_000;

/** Puts the question into the chatbot's test set, with words that have to stand in the answer. */
export function MakeTest({ chatbotId, onMade, ...own }: { chatbotId: ChatbotId; onMade: () => void } & Own) {
  const { t } = useText();
  const off = useActionOff();
  const orgId = useTab().organisation.id;
  const [words, setWords] = useState('');
  const [id] = useState(() => newId('chatbotTest'));
  const expected = words.split(',').flatMap((word) => word.trim() || []);
  const make = useMutation({
    mutationFn: () =>
      api('POST /api/chat/chatbot-drafts/:chatbotId/tests', {
        orgId,
        params: { chatbotId },
        body: { id, question: own.question.trim(), expects: { words: expected, passages: [] } },
        retries: 2,
      }),
  });
  const title = t({ id: 'feedback.mend.test', defaultMessage: 'Make it a test' });
  if (make.isSuccess)
    return (
      <Note
        kind="success"
        actions={
          <Button size="xs" variant="default" onClick={onMade}>
            {t({ id: 'feedback.test.close', defaultMessage: 'Close' })}
          </Button>
        }
      >
        {t({
          id: 'feedback.test.made',
          defaultMessage: 'The question is in the chatbot’s test set: each run asks it again.',
        })}
      </Note>
    );
  return (
    <section className={classes.card} aria-label={title}>
      <div className={classes.cardBody}>
        <Question {...own} most={longestTestQuestion} />
        <TextInput
          label={t({ id: 'feedback.test.words', defaultMessage: 'Words that the answer must contain' })}
          description={t({
            id: 'feedback.test.wordsAbout',
            defaultMessage: 'With commas between them, such as “€48, night”.',
          })}
          dir="auto"
          maxLength={500}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <ErrorNote error={make.error} />
        <div className={classes.acts}>
          <Button
            size="xs"
            variant="default"
            loading={make.isPending}
            disabled={own.question.trim() === '' || expected.length === 0}
            onClick={() => make.mutate()}
            {...off}
          >
            {t({ id: 'feedback.test.add', defaultMessage: 'Add to test set' })}
          </Button>
        </div>
      </div>
    </section>
  );
}
