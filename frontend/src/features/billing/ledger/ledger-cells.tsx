import { useFormats } from '../../../lib/formats.ts';
import type { Answer } from '../../../lib/http.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useChatbotNames } from '../../../domain/chatbot/use-chatbot-names.ts';
import { PersonAvatar } from '../../../domain/picture/avatar.tsx';
import { Status, type Column } from '../../../ui/list-table.tsx';
import { NoFigure } from '../../../ui/no-figure.tsx';
import table from '../../../ui/table.module.css';
import classes from '../parts/billing.module.css';
import { useModelName } from '../../../domain/model/model-name.ts';
import { useOutcomes } from './outcomes.ts';
import { useMoney } from '../state/use-money.ts';

export type ListedEntry = Answer<'GET /api/billing/ledger-entries'>['items'][number];
type Props = { entry: ListedEntry; onModel: () => void; onChatbot: (chatbotId: string) => void; onPerson: () => void };

const shapes = { done: 'ok', stopped: 'off', cut: 'warning', failed: 'bad', interrupted: 'warning' } as const;

/** What a chatbot is called; nobody knows the name of one that is gone. */
export function useChatbotName(): (id: string) => string {
  const { t } = useText();
  const names = useChatbotNames();
  return (id) => names?.get(id) ?? t({ id: 'billing.ledger.chatbot', defaultMessage: 'A chatbot' });
}

export function useLedgerColumns(): Column[] {
  const { t } = useText();
  const isNamed = useRight('usage:read_person');
  const person = { key: 'person', label: t({ id: 'billing.ledger.person', defaultMessage: 'Person' }) };
  return [
    { key: 'model', label: t({ id: 'billing.ledger.model', defaultMessage: 'Model' }) },
    ...(isNamed ? [person] : []),
    { key: 'outcome', label: t({ id: 'billing.ledger.outcome', defaultMessage: 'Outcome' }) },
    { key: 'input', label: t({ id: 'billing.ledger.input', defaultMessage: 'Input tokens' }), isFigure: true },
    { key: 'output', label: t({ id: 'billing.ledger.output', defaultMessage: 'Output tokens' }), isFigure: true },
    { key: 'cost', label: t({ id: 'billing.ledger.cost', defaultMessage: 'Cost' }), isFigure: true },
    { key: 'when', label: t({ id: 'billing.ledger.when', defaultMessage: 'When' }) },
  ];
}

/** Model, chatbot and person show only what is theirs. */
export function LedgerCells({ entry, onModel, onChatbot, onPerson }: Props) {
  const { t } = useText();
  const { number, price, ago, exact } = useFormats();
  const { charged } = useMoney();
  const nameOf = useModelName();
  const chatbotName = useChatbotName();
  const isNamed = useRight('usage:read_person');
  const outcomes = useOutcomes();
  const { kind, model, chatbot, name, userId, outcome, inputTokens, outputTokens, costMicros, currency, at } = entry;
  const person = name ?? t({ id: 'billing.byPerson.gone', defaultMessage: 'Former member' });
  return (
    <>
      <td className={classes.whole}>
        <Only name={nameOf(model)} onClick={onModel} />
        {chatbot ? (
          <span className={table.second}>
            <Only name={chatbotName(chatbot.id)} onClick={() => onChatbot(chatbot.id)} isSecond />
            {chatbot.version > 0
              ? ` ${t({ id: 'billing.ledger.version', defaultMessage: 'version {version}' }, { version: chatbot.version })}`
              : null}
          </span>
        ) : null}
      </td>
      {isNamed ? (
        <td className={classes.half}>
          {userId === null ? (
            t({ id: 'billing.ledger.nobody', defaultMessage: 'The organisation' })
          ) : (
            <span className={table.named}>
              <PersonAvatar id={userId} name={name ?? '–'} size={24} />
              <Only name={person} onClick={onPerson} />
            </span>
          )}
        </td>
      ) : null}
      <td className={classes.half}>
        <Status kind={shapes[outcome]}>{outcomes[outcome]}</Status>
        {kind === 'answer' ? null : (
          <span className={table.second}>
            {kind === 'embedding'
              ? t({ id: 'billing.ledger.embedding', defaultMessage: 'Vectors' })
              : t({ id: 'billing.ledger.title', defaultMessage: 'Title of a chat' })}
          </span>
        )}
      </td>
      <td
        className={`${table.figure} ${classes.third}`}
        data-label={t({ id: 'billing.ledger.input', defaultMessage: 'Input tokens' })}
      >
        {number(inputTokens)}
      </td>
      <td
        className={`${table.figure} ${classes.third}`}
        data-label={t({ id: 'billing.ledger.output', defaultMessage: 'Output tokens' })}
      >
        {number(outputTokens)}
      </td>
      <td
        className={`${table.figure} ${classes.third}`}
        data-label={t({ id: 'billing.ledger.cost', defaultMessage: 'Cost' })}
      >
        {costMicros === null ? (
          <NoFigure>{t({ id: 'billing.spent.unpriced', defaultMessage: 'no price' })}</NoFigure>
        ) : currency === null ? (
          <NoFigure>{t({ id: 'billing.ledger.free', defaultMessage: 'nothing' })}</NoFigure>
        ) : (
          <span title={price(costMicros, currency)}>{charged(costMicros, currency)}</span>
        )}
      </td>
      <td className={`${table.quiet} ${classes.whole}`} title={exact(at)}>
        {ago(at)}
      </td>
    </>
  );
}

function Only({ name, onClick, isSecond }: { name: string; onClick: () => void; isSecond?: boolean }) {
  const { t } = useText();
  const title = t({ id: 'billing.ledger.only', defaultMessage: 'Only {name}' }, { name });
  return (
    <button type="button" className={`p-plain ${classes.only}`} title={title} onClick={onClick}>
      <bdi className={isSecond ? undefined : table.name}>{name}</bdi>
    </button>
  );
}
