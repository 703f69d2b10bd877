import { Button } from '@mantine/core';
import type { FeedbackCase } from '@parley/contracts';
import { useState } from 'react';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import classes from '../feedback.module.css';
import { AskAgain } from './ask-again.tsx';
import { useShared } from './case-talk.tsx';
import { MakeTest } from './make-test.tsx';

type Props = {
  item: FeedbackCase;
  /** The right answer is being written, beside the case. */
  isWriting: boolean;
  onWrite: (question: string) => void;
};

/** What mends it: asking the chatbot of today, a curated answer, a test that keeps it mended. */
export function CaseMend({ item, isWriting, onWrite }: Props) {
  const { t } = useText();
  const { data } = useShared(item);
  const off = useActionOff();
  const mayTry = useRight('chatbot:manage');
  const [part, setPart] = useState<'again' | 'test' | null>(null);
  const question = data?.items.findLast(({ role }) => role === 'person')?.text ?? '';
  const oldAnswer = data?.items.findLast(({ role }) => role === 'assistant') ?? null;
  const [asked, setAsked] = useState<string | null>(null);
  const own = { question: asked ?? question, onQuestion: setAsked };
  return (
    <>
      <div className={classes.acts}>
        {mayTry ? (
          <Button
            variant="default"
            size="xs"
            aria-expanded={part === 'again'}
            onClick={() => setPart('again')}
            {...off}
          >
            {t({ id: 'feedback.mend.again', defaultMessage: 'Ask today’s version' })}
          </Button>
        ) : null}
        <Button variant="default" size="xs" aria-expanded={isWriting} onClick={() => onWrite(own.question)} {...off}>
          {t({ id: 'feedback.mend.curated', defaultMessage: 'Write the right answer' })}
        </Button>
        {mayTry ? (
          <Button variant="default" size="xs" aria-expanded={part === 'test'} onClick={() => setPart('test')} {...off}>
            {t({ id: 'feedback.mend.test', defaultMessage: 'Make it a test' })}
          </Button>
        ) : null}
      </div>
      {part === 'again' ? <AskAgain item={item} oldAnswer={oldAnswer} {...own} /> : null}
      {part === 'test' ? <MakeTest chatbotId={item.chatbot.id} {...own} onMade={() => setPart(null)} /> : null}
    </>
  );
}
