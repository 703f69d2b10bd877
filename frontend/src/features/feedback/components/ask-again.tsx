import { Button } from '@mantine/core';
import type { ChatbotId, FeedbackCase, SharedMessage, Trial } from '@parley/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { isOver, useTrial } from '../../../domain/trial/trials.ts';
import { useVersionName } from '../../../domain/chatbot/use-version-name.ts';
import { AnswerFailure } from '../../../domain/message/answer-failure.tsx';
import { AnswerText } from '../../../domain/message/answer-text.tsx';
import { AnswerThoughts } from '../../../domain/message/answer-thoughts.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import classes from '../feedback.module.css';
import { CaseSources } from './case-sources.tsx';
import { Question, type Own } from './mend-question.tsx';

const longestQuestion = 32_000;

function useTodaysVersion(chatbotId: ChatbotId) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('chatbot-drafts', orgId, 'one', chatbotId),
    queryFn: ({ signal }) => api('GET /api/chat/chatbot-drafts/:chatbotId', { orgId, params: { chatbotId }, signal }),
  });
}

/** The old answer, and beside it what the published version says today to whoever asks. */
export function AskAgain({ item, oldAnswer, ...own }: { item: FeedbackCase; oldAnswer: SharedMessage | null } & Own) {
  const { t } = useText();
  const versionName = useVersionName();
  const off = useActionOff();
  const orgId = useTab().organisation.id;
  const { chatbot } = item;
  const { data: draft, error: missing } = useTodaysVersion(chatbot.id);
  const version = draft?.published?.version;
  const ask = useMutation({
    mutationFn: (question: string) =>
      api('POST /api/chat/chatbot-drafts/:chatbotId/trials', {
        orgId,
        params: { chatbotId: chatbot.id },
        body: { id: newId('trial'), question, version: version ?? null },
      }),
  });
  const failure = missing ?? ask.error;
  const isNowhere = draft !== undefined && version === undefined;
  return (
    <section className={classes.card} aria-label={t({ id: 'feedback.again.title', defaultMessage: 'Asked again' })}>
      <div className={classes.cardBody}>
        <Question {...own} most={longestQuestion} />
        <div className={classes.acts}>
          <Button
            size="xs"
            variant="default"
            loading={ask.isPending}
            disabled={own.question.trim() === '' || version === undefined}
            onClick={() => ask.mutate(own.question.trim())}
            {...off}
          >
            {version
              ? t({ id: 'feedback.again.ask', defaultMessage: 'Ask version {version, number}' }, { version })
              : t({ id: 'feedback.again.askNow', defaultMessage: 'Ask it now' })}
          </Button>
          <span className="p-meta">
            {isNowhere
              ? t({ id: 'feedback.again.nowhere', defaultMessage: 'Nothing of this chatbot is published.' })
              : t({
                  id: 'feedback.again.about',
                  defaultMessage: 'Asked as you: it uses your budget and sees what you can read.',
                })}
          </span>
        </div>
        <ErrorNote error={failure} />
      </div>
      {ask.data ? (
        <div className={classes.beside}>
          <Answered
            title={t({ id: 'feedback.again.then', defaultMessage: 'Then' })}
            about={versionName(chatbot.version)}
            text={oldAnswer?.text ?? ''}
            citations={oldAnswer?.citations ?? []}
            none={t({ id: 'feedback.again.unknown', defaultMessage: 'The old answer was not sent along.' })}
          />
          <TrialAnswer key={ask.data.id} asked={ask.data} />
        </div>
      ) : null}
    </section>
  );
}

function TrialAnswer({ asked }: { asked: Trial }) {
  const { t } = useText();
  const versionName = useVersionName();
  const { seconds } = useFormats();
  const { trial: data = asked, thoughts } = useTrial(asked.id, asked);
  const took = data.totalMs === null ? [] : [seconds(data.totalMs)];
  const sources = data.citations.length;
  const cited =
    sources === 0
      ? []
      : [
          t(
            { id: 'feedback.again.sources', defaultMessage: '{count, plural, one {# source} other {# sources}}' },
            { count: sources },
          ),
        ];
  return (
    <Answered
      title={t({ id: 'feedback.again.now', defaultMessage: 'Now' })}
      about={[versionName(data.version ?? 0), ...took, ...cited].join(' · ')}
      isWriting={!isOver(data)}
      thoughts={
        thoughts === '' ? null : (
          <AnswerThoughts
            text={thoughts}
            ms={data.thoughts?.ms ?? null}
            isThinking={!isOver(data) && data.text === ''}
          />
        )
      }
      text={data.text}
      citations={data.citations.map((one) => ({ ...one, curatedAnswerId: one.curated?.id ?? null }))}
      failure={
        data.status === 'failed' || data.status === 'interrupted' ? (
          <Note kind="danger">
            <AnswerFailure answer={{ ...data, status: data.status }} />
          </Note>
        ) : null
      }
      none={
        isOver(data)
          ? t({ id: 'feedback.again.none', defaultMessage: 'There was no answer.' })
          : t({ id: 'feedback.again.writing', defaultMessage: 'It is being answered.' })
      }
    />
  );
}

type AnsweredProps = {
  title: string;
  about: string;
  text: string;
  citations: SharedMessage['citations'];
  /** Said where there is no text. */
  none: string;
  /** Said instead of it, or below the text, where the answer ended early. */
  failure?: ReactNode;
  isWriting?: boolean;
  thoughts?: ReactNode;
};

function Answered({
  title,
  about,
  text,
  citations,
  none,
  failure = null,
  isWriting = false,
  thoughts = null,
}: AnsweredProps) {
  const [source, setSource] = useState<number | null>(null);
  return (
    <section className={classes.side} aria-label={title} aria-busy={isWriting}>
      <header className={classes.sideHead}>
        {isWriting ? <StatusShape kind="running" /> : null}
        <h4 className="p-h3">{title}</h4>
        <span className="p-meta">{about}</span>
      </header>
      <div className={classes.answer}>
        {thoughts}
        {text === '' ? (
          failure === null ? (
            <p className="p-sm p-quiet">{none}</p>
          ) : null
        ) : (
          <AnswerText
            text={text}
            isWriting={isWriting}
            citations={citations}
            openSource={source}
            onOpenSource={setSource}
          />
        )}
        {failure}
      </div>
      <CaseSources cited={citations} open={source} onOpen={setSource} />
    </section>
  );
}
