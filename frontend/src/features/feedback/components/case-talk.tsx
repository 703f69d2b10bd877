import type { FeedbackCase, SharedMessage } from '@parley/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { usePlaceWords } from '../../../lib/use-place-words.ts';
import { BotMark, PersonAvatar } from '../../../ui/avatar.tsx';
import { FailureView } from '../../../ui/failure-view.tsx';
import { glyphs } from '../../../ui/glyph.ts';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import classes from '../feedback.module.css';

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
          <ol className={classes.talk}>
            {data.items.map((message) => (
              <li key={message.id}>
                <Said message={message} item={item} />
              </li>
            ))}
          </ol>
          <Sources messages={data.items} />
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

function Said({ message, item: { reporter, chatbot } }: { message: SharedMessage; item: FeedbackCase }) {
  const isPerson = message.role === 'person';
  return (
    <div className={classes.turn}>
      {isPerson ? (
        <PersonAvatar id={reporter.userId} name={reporter.name} size={22} />
      ) : (
        <BotMark icon={glyphs[chatbot.glyph]} size={22} />
      )}
      <span className="p-hidden">{isPerson ? reporter.name : chatbot.name}</span>
      <div className={isPerson ? classes.speech : classes.answer} dir="auto">
        {message.text}
      </div>
    </div>
  );
}

type Cited = SharedMessage['citations'][number];

/** What the answers cite, each opened by one's own right to read it. */
function Sources({ messages }: { messages: readonly SharedMessage[] }) {
  const cited = messages.at(-1)?.citations ?? [];
  if (cited.length === 0) return null;
  return (
    <ul className={classes.sources}>
      {cited.map((one) => (
        <li key={one.number}>{one.curatedAnswerId ? <CuratedSource cited={one} /> : <PassageSource cited={one} />}</li>
      ))}
    </ul>
  );
}

function PassageSource({ cited: { number, chunkId } }: { cited: Cited }) {
  const orgId = useTab().organisation.id;
  const { data, error } = useQuery({
    queryKey: resourceKey('passages', orgId, chunkId),
    queryFn: ({ signal }) => api('GET /api/chat/passages/:chunkId', { orgId, params: { chunkId }, signal }),
    staleTime: 60_000,
  });
  const words = usePlaceWords();
  const name =
    data && [data.documentName, data.place ? words(data.place) : '', data.heading ?? ''].filter(Boolean).join(', ');
  return <Source number={number} name={name} text={data?.text} error={error} />;
}

function CuratedSource({ cited: { number, curatedAnswerId } }: { cited: Cited }) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const { data, error } = useQuery({
    queryKey: resourceKey('curated-answers', orgId, 'quoted', curatedAnswerId),
    queryFn: ({ signal }) =>
      api('GET /api/chat/quoted-answers/:curatedAnswerId', {
        orgId,
        params: { curatedAnswerId: curatedAnswerId! },
        signal,
      }),
    staleTime: 60_000,
  });
  const name =
    data &&
    t(
      { id: 'feedback.source.curated', defaultMessage: 'Curated answer by {name}: {question}' },
      { name: `\u2068${data.by}\u2069`, question: `\u2068${data.question}\u2069` },
    );
  return <Source number={number} name={name} text={data?.text} error={error} />;
}

type SourceProps = { number: number; name: string | undefined; text: string | undefined; error: unknown };

function Source({ number, name, text, error }: SourceProps) {
  const { t } = useText();
  const describe = useProblemText();
  const [isOpen, setOpen] = useState(false);
  if (error)
    return (
      <p className={classes.source}>
        <i className={classes.number}>{number}</i>
        <span className="p-quiet">
          {t({ id: 'feedback.source.gone', defaultMessage: 'This source is gone, or is not yours to read.' })}{' '}
          <span className="p-hidden">{describe(error).text}</span>
        </span>
      </p>
    );
  return (
    <div className={classes.source} aria-busy={!name}>
      <i className={classes.number}>{number}</i>
      <button type="button" className={classes.open} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <bdi>{name ?? '…'}</bdi>
      </button>
      {isOpen && text !== undefined ? (
        <p className={classes.passage} dir="auto">
          {text}
        </p>
      ) : null}
    </div>
  );
}
