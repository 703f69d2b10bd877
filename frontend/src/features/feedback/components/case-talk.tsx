import type { FeedbackCase, SharedMessage } from '@parley/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { AnswerText } from '../../../domain/message/answer-text.tsx';
import { BotMark, PersonAvatar } from '../../../domain/picture/avatar.tsx';
import { FailureView } from '../../../ui/failure-view.tsx';
import { glyphs } from '../../../ui/glyph.ts';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import classes from '../feedback.module.css';
import { CaseSources } from './case-sources.tsx';

/** The messages that the reporter sent along; they change with the case only, and reading them is written down. */
export function useShared({ id: feedbackId, sharedMessages, ratedAt }: FeedbackCase) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('messages', orgId, 'shared', feedbackId, sharedMessages, ratedAt),
    queryFn: ({ signal }) =>
      api('GET /api/chat/feedback/:feedbackId/shared-messages', { orgId, params: { feedbackId }, signal }),
    enabled: sharedMessages > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function CaseTalk({ item }: { item: FeedbackCase }) {
  const { t } = useText();
  const { data, error, refetch } = useShared(item);
  const title = t({ id: 'feedback.talk.title', defaultMessage: 'Conversation' });
  return (
    <section className={classes.card} aria-label={title}>
      <header className={classes.cardHead}>
        <h3 className="p-h3">{title}</h3>
        <span className="p-meta">
          {t({ id: 'feedback.talk.shared', defaultMessage: 'Sent by the reporter. That you read it is written down.' })}
        </span>
      </header>
      {data ? (
        <>
          <Talk messages={data.items} item={item} />
        </>
      ) : error ? (
        <FailureView
          title={t({ id: 'feedback.talk.failed', defaultMessage: 'The conversation could not be loaded' })}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <SkeletonRows
          count={2}
          label={t({ id: 'feedback.talk.loading', defaultMessage: 'The conversation is loading' })}
        />
      )}
    </section>
  );
}

type Open = { readonly message: SharedMessage | undefined; readonly number: number | null };

/** Below it stand the sources of one answer: the rated one, until another's are asked for. */
function Talk({ messages, item }: { messages: readonly SharedMessage[]; item: FeedbackCase }) {
  const [{ message: shown, number }, setOpen] = useState<Open>({ message: messages.at(-1), number: null });
  return (
    <>
      <ol className={classes.talk}>
        {messages.map((message) => (
          <li key={message.id}>
            <Said
              message={message}
              item={item}
              openSource={message === shown ? number : null}
              onOpenSource={(wanted) => setOpen({ message, number: wanted })}
            />
          </li>
        ))}
      </ol>
      <CaseSources
        key={shown?.id}
        cited={shown?.citations ?? []}
        open={number}
        onOpen={(wanted) => setOpen({ message: shown, number: wanted })}
      />
    </>
  );
}

type SaidProps = {
  message: SharedMessage;
  item: FeedbackCase;
  openSource: number | null;
  onOpenSource: (number: number) => void;
};

function Said({ message, item: { reporter, chatbot }, ...sources }: SaidProps) {
  const isPerson = message.role === 'person';
  return (
    <div className={classes.message}>
      {isPerson ? (
        <PersonAvatar id={reporter.userId} name={reporter.name} size={22} />
      ) : (
        <BotMark icon={glyphs[chatbot.glyph]} size={22} />
      )}
      <span className="p-hidden">{isPerson ? reporter.name : chatbot.name}</span>
      {isPerson ? (
        <div className={classes.speech} dir="auto">
          {message.text}
        </div>
      ) : (
        <div className={classes.answer}>
          <AnswerText text={message.text} isWriting={false} citations={message.citations} {...sources} />
        </div>
      )}
    </div>
  );
}
