import type { Model } from '@parley/contracts';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import type { Answer } from '../../../lib/http.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { usePaths } from '../../../lib/paths.ts';
import { BotMark } from '../../../ui/avatar.tsx';
import { useModelName } from '../model-name.ts';
import { iconOfModel } from './answer-turn.tsx';
import classes from './empty-chat.module.css';

type Offered = Answer<'GET /api/chat/models'>;
type Props = { model: Model | null; offered: Offered; composer: ReactNode; onStart: (text: string) => void };

/** What one can ask here, honestly: it depends on whether documents and a language model are connected. */
export function EmptyChat({ model, offered, composer, onStart }: Props) {
  const { t } = useText();
  const nameOf = useModelName();
  const isBuiltin = model?.key === 'builtin';
  const hasDocuments = offered.documentCount > 0;
  return (
    <div className={classes.empty}>
      <div className={classes.column}>
        <h2 className={`p-h1 ${classes.title}`}>
          <BotMark icon={iconOfModel(model?.key ?? 'builtin')} size={36} />
          <span>
            {t({ id: 'chat.empty.title', defaultMessage: 'Ask {model}' }, { model: model ? nameOf(model) : 'Parley' })}
          </span>
        </h2>
        <p className="p-quiet">
          <Coverage isBuiltin={isBuiltin} offered={offered} />
        </p>
        {composer}
        {isBuiltin && !hasDocuments ? <NextSteps /> : <Starters hasDocuments={hasDocuments} onStart={onStart} />}
      </div>
    </div>
  );
}

function Coverage({ isBuiltin, offered }: { isBuiltin: boolean; offered: Offered }) {
  const { t } = useText();
  const { ago } = useFormats();
  const count = offered.documentCount;
  const indexed = offered.indexedAt
    ? t({ id: 'chat.empty.indexed', defaultMessage: 'Indexed {time}.' }, { time: ago(offered.indexedAt) })
    : '';
  if (isBuiltin && count === 0)
    return t({
      id: 'chat.empty.nothing',
      defaultMessage:
        'No language model and no documents are connected yet, so there is nothing to answer from. Either one is enough to begin.',
    });
  if (isBuiltin)
    return `${t({ id: 'chat.empty.quotes', defaultMessage: 'Quotes the best passages from {count, plural, one {# document} other {# documents}}. No language model is connected, so it does not write by itself.' }, { count })} ${indexed}`;
  if (count === 0)
    return t({
      id: 'chat.empty.modelOnly',
      defaultMessage: 'Answers come from the model alone; no documents are connected yet.',
    });
  return `${t({ id: 'chat.empty.documents', defaultMessage: 'Answers from {count, plural, one {# document} other {# documents}} of your organisation.' }, { count })} ${indexed}`;
}

/** Where to go when there is nothing to answer from; whom to ask when that is not one's right. */
function NextSteps() {
  const { t } = useText();
  const paths = usePaths();
  const { organisation } = useTab();
  const mayUpload = useRight('data_connection:manage');
  const mayConfigure = useRight('model:configure');
  if (!mayUpload && !mayConfigure)
    return (
      <p className={`p-sm p-quiet ${classes.ask}`}>
        {t({
          id: 'chat.empty.askAdmin',
          defaultMessage: 'An owner or admin of the organisation can connect documents or a model.',
        })}
      </p>
    );
  return (
    <div className={classes.rows}>
      {mayUpload ? (
        <Row
          to={paths.to('settings/data-connections')}
          title={t({ id: 'chat.empty.uploadTitle', defaultMessage: 'Upload documents' })}
          text={t({
            id: 'chat.empty.uploadText',
            defaultMessage: 'Answers then quote them, with the source beside each sentence',
          })}
        />
      ) : null}
      {mayConfigure ? (
        <Row
          to={paths.models(organisation.id)}
          title={t({ id: 'chat.empty.modelTitle', defaultMessage: 'Connect a language model' })}
          text={t({ id: 'chat.empty.modelText', defaultMessage: 'Ollama, vLLM or any OpenAI-compatible server' })}
        />
      ) : null}
    </div>
  );
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
      text: t({ id: 'chat.starter.compareText', defaultMessage: 'Differences, each with the place it stands' }),
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

const Row = ({ to, title, text }: { to: string; title: string; text: string }) => (
  <Link className={classes.row} to={to}>
    <RowText title={title} text={text} />
  </Link>
);

const RowText = ({ title, text }: { title: string; text: string }) => (
  <>
    <span>
      <b className="p-h3">{title}</b>
      <span className={`p-sm ${classes.rowText}`}>{text}</span>
    </span>
    <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" className="p-mirror" />
  </>
);
