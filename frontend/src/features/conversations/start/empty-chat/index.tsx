import type { ReactNode } from 'react';
import { useFormats } from '../../../../lib/formats.ts';
import type { Answer } from '../../../../lib/http.ts';
import { lazyPart } from '../../../../lib/lazy-part.tsx';
import { useRight } from '../../../../lib/tab-organisation.tsx';
import { useText } from '../../../../lib/text.ts';
import { BotMark } from '../../../../domain/picture/avatar.tsx';
import { iconOf, isBuiltin, useAnswererName, type Answerer } from '../../state/answerer.ts';
import classes from '../empty-chat.module.css';
import { RowText } from '../row-text.tsx';

const NextSteps = lazyPart(async () => (await import('../next-steps.tsx')).NextSteps);

type Offered = Answer<'GET /api/chat/models'>;
type Props = {
  answerer: Answerer;
  /** Null until the models and documents are known. */
  offered: Offered | null;
  composer: ReactNode;
  onStart: (text: string) => void;
};

/**
 * Says what people can ask, which depends on connected documents and language models. Reserves room until both are
 * known, so that the composer doesn't move.
 */
export function EmptyChat({ answerer, offered, composer, onStart }: Props) {
  const { t } = useText();
  const nameOf = useAnswererName();
  return (
    <div className={classes.empty}>
      <div className={classes.column}>
        <h2 className={`p-h1 ${classes.title}`}>
          <BotMark icon={iconOf(answerer)} size={36} />
          <span>
            {t(
              {
                id: 'chat.empty.title',
                defaultMessage: '{builtin, select, true {Ask the built-in assistant} other {Ask {model}}}',
              },
              { builtin: isBuiltin(answerer), model: nameOf(answerer) || 'Parley' },
            )}
          </span>
        </h2>
        <p className={`p-quiet ${classes.coverage}`}>
          {offered ? <Coverage answerer={answerer} offered={offered} /> : null}
        </p>
        {composer}
        {offered ? (
          <WhatToDo answerer={answerer} offered={offered} onStart={onStart} />
        ) : (
          <div className={classes.first} />
        )}
      </div>
    </div>
  );
}

type Known = Omit<Props, 'offered' | 'composer'> & { offered: Offered };

/** Shows ways to start, or what to connect first. */
function WhatToDo({ answerer: { chatbot, model }, offered, onStart }: Known) {
  const hasDocuments = offered.documentCount > 0;
  const hasNothing = model?.key === 'builtin' && !hasDocuments;
  const starters = chatbot?.starters ?? [];
  const mayInvite = useRight('member:invite');
  return (
    <>
      {hasNothing ? null : starters.length > 0 ? (
        <OwnStarters starters={starters} onStart={onStart} />
      ) : (
        <Starters hasDocuments={hasDocuments} onStart={onStart} />
      )}
      <div className={hasNothing ? classes.first : classes.more} data-may-grow={mayInvite || undefined}>
        {model ? <NextSteps offered={offered} isFirst={hasNothing} /> : null}
      </div>
    </>
  );
}

function Coverage({ answerer, offered }: Pick<Known, 'answerer' | 'offered'>) {
  const { t } = useText();
  const { ago } = useFormats();
  const count = offered.documentCount;
  const indexed = offered.indexedAt
    ? t({ id: 'chat.empty.indexed', defaultMessage: 'Indexed {time}.' }, { time: ago(offered.indexedAt) })
    : '';
  const isOfDocuments = answerer.model?.key === 'builtin';
  const hasModel = offered.items.some(({ providerName }) => providerName !== null);
  // A chatbot with the built-in assistant leaves no model to choose.
  const canChoose = hasModel && (answerer.chatbot?.model ?? null) === null;
  if (isOfDocuments && count === 0 && canChoose)
    return t({
      id: 'chat.empty.noDocuments',
      defaultMessage:
        'The built-in assistant answers from documents, and none are connected yet. Choose a language model, or connect documents.',
    });
  if (isOfDocuments && count === 0 && hasModel)
    return t({
      id: 'chat.empty.onlyDocuments',
      defaultMessage: 'This chatbot answers from documents, and none are connected yet.',
    });
  if (isOfDocuments && count === 0)
    return t({
      id: 'chat.empty.nothing',
      defaultMessage:
        'No language model and no documents are connected yet, so there is nothing to answer from. Either one is enough to begin.',
    });
  if (isOfDocuments) {
    const quotes = t(
      {
        id: 'chat.empty.quotes',
        defaultMessage: 'Quotes the best passages from {count, plural, one {# document} other {# documents}}.',
      },
      { count },
    );
    const noModel = t({
      id: 'chat.empty.noModel',
      defaultMessage: 'No language model is connected, so it does not write by itself.',
    });
    const choose = t({
      id: 'chat.empty.choose',
      defaultMessage: 'Choose a language model for answers in its own words.',
    });
    const more = hasModel ? null : noModel;
    return [quotes, canChoose ? choose : more, indexed].filter(Boolean).join(' ');
  }
  if (count === 0)
    return t({
      id: 'chat.empty.modelOnly',
      defaultMessage: 'Answers come from the model alone; no documents are connected yet.',
    });
  return `${t({ id: 'chat.empty.documents', defaultMessage: 'Answers from {count, plural, one {# document} other {# documents}} of your organisation.' }, { count })} ${indexed}`;
}

function Starters({ hasDocuments, onStart }: { hasDocuments: boolean; onStart: (text: string) => void }) {
  const { t } = useText();
  const fromDocuments = [
    {
      title: t({ id: 'chat.starter.findTitle', defaultMessage: 'Find a rule or a figure' }),
      text: t({ id: 'chat.starter.findText', defaultMessage: 'The passage comes with its source' }),
      begin: t({ id: 'chat.starter.findBegin', defaultMessage: 'What do our documents say about' }),
    },
    {
      title: t({ id: 'chat.starter.stepsTitle', defaultMessage: 'Look up how something is done' }),
      text: t({ id: 'chat.starter.stepsText', defaultMessage: 'Steps, who is responsible, what to watch for' }),
      begin: t({ id: 'chat.starter.stepsBegin', defaultMessage: 'How do we' }),
    },
    {
      title: t({ id: 'chat.starter.compareTitle', defaultMessage: 'Compare two things' }),
      text: t({ id: 'chat.starter.compareText', defaultMessage: 'Differences, each with its source' }),
      begin: t({ id: 'chat.starter.compareBegin', defaultMessage: 'What is the difference between' }),
    },
  ];
  const fromModel = [
    {
      title: t({ id: 'chat.starter.draftTitle', defaultMessage: 'Draft a message' }),
      text: t({ id: 'chat.starter.draftText', defaultMessage: 'Say to whom, about what, in which tone' }),
      begin: t({ id: 'chat.starter.draftBegin', defaultMessage: 'Draft a short message to' }),
    },
    {
      title: t({ id: 'chat.starter.explainTitle', defaultMessage: 'Explain something' }),
      text: t({ id: 'chat.starter.explainText', defaultMessage: 'Paste a text, a formula or an error' }),
      begin: t({ id: 'chat.starter.explainBegin', defaultMessage: 'Explain in plain words:' }),
    },
    {
      title: t({ id: 'chat.starter.checkTitle', defaultMessage: 'Check a text' }),
      text: t({ id: 'chat.starter.checkText', defaultMessage: 'Mistakes, unclear places, a shorter version' }),
      begin: t({ id: 'chat.starter.checkBegin', defaultMessage: 'Check this text and list what to change:' }),
    },
  ];
  return (
    <div className={classes.rows}>
      {(hasDocuments ? fromDocuments : fromModel).map(({ title, text, begin }) => (
        <button key={title} type="button" className={classes.row} onClick={() => onStart(`${begin} `)}>
          <RowText title={title} text={text} />
        </button>
      ))}
    </div>
  );
}

/** Shows the chatbot's own starters. */
function OwnStarters({ starters, onStart }: { starters: readonly string[]; onStart: (text: string) => void }) {
  return (
    <div className={classes.rows}>
      {starters.map((starter) => (
        <button key={starter} type="button" className={classes.row} onClick={() => onStart(starter)}>
          <RowText title={starter} />
        </button>
      ))}
    </div>
  );
}
