import { Button, Textarea } from '@mantine/core';
import type { FeedbackCase } from '@parley/contracts';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import classes from '../feedback.module.css';
import type { useCaseAct } from '../use-case.ts';

const longest = 2_000;

/** What the reporter was answered, and the way to do so. */
export function CaseReply({ item, act }: { item: FeedbackCase; act: ReturnType<typeof useCaseAct> }) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  const mayManage = useRight('feedback:manage');
  const off = useActionOff();
  const [text, setText] = useState('');
  const { reply, reporter } = item;
  const name = `\u2068${reporter.name}\u2069`;
  const send = () => act.mutate({ reply: text.trim() }, { onSuccess: () => setText('') });
  return (
    <section
      className={classes.reply}
      aria-label={t({ id: 'feedback.reply.title', defaultMessage: 'Answer to the reporter' })}
    >
      {reply ? (
        <div className={classes.replied}>
          <p className="p-meta" title={exact(reply.at)}>
            {t(
              { id: 'feedback.reply.sent', defaultMessage: '{by} answered {name}, {when}' },
              { by: `\u2068${reply.by}\u2069`, name, when: ago(reply.at) },
            )}
          </p>
          <p className={classes.words} dir="auto">
            {reply.text}
          </p>
        </div>
      ) : null}
      {mayManage ? (
        <div className={classes.write}>
          <Textarea
            aria-label={t({ id: 'feedback.reply.to', defaultMessage: 'Answer {name}' }, { name })}
            placeholder={
              reply
                ? t(
                    {
                      id: 'feedback.reply.again',
                      defaultMessage: 'Answer {name} anew: it takes the place of the last one',
                    },
                    { name },
                  )
                : t({ id: 'feedback.reply.to', defaultMessage: 'Answer {name}' }, { name })
            }
            autosize
            minRows={1}
            maxRows={8}
            maxLength={longest}
            dir="auto"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <div className={classes.acts}>
            <span className="p-meta">
              {t({
                id: 'feedback.reply.about',
                defaultMessage: 'It’s shown below the answer in their chat, with your name.',
              })}
            </span>
            <Button variant="default" onClick={send} loading={act.isPending} disabled={text.trim() === ''} {...off}>
              {t({ id: 'feedback.reply.send', defaultMessage: 'Send answer' })}
            </Button>
          </div>
        </div>
      ) : null}
    </section>
  );
}
