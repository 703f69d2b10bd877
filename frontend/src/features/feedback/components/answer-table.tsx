import type { ChatbotId, CuratedAnswer, CuratedAnswerId } from '@parley/contracts';
import { Pencil, Trash2 } from 'lucide-react';
import { useFormats } from '../../../lib/formats.ts';
import { useChatbots } from '../../../domain/chatbot/use-chatbots.ts';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ListTable, Status } from '../../../ui/list-table.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import table from '../../../ui/table.module.css';
import classes from '../feedback.module.css';

type Props = {
  items: readonly CuratedAnswer[];
  current: CuratedAnswerId | null;
  /** Null for whoever may read only. */
  onEdit: ((answer: CuratedAnswer) => void) | null;
  onDelete: (answer: CuratedAnswer) => void;
};

export function AnswerTable({ items, current, onEdit, onDelete }: Props) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  const nameOf = useChatbotName();
  const columns = [
    { key: 'question', label: t({ id: 'feedback.curated.question', defaultMessage: 'Question' }) },
    { key: 'chatbot', label: t({ id: 'feedback.curated.chatbot', defaultMessage: 'Said by' }) },
    { key: 'state', label: t({ id: 'feedback.column.state', defaultMessage: 'State' }) },
    { key: 'author', label: t({ id: 'feedback.curated.author', defaultMessage: 'Written by' }) },
    ...(onEdit
      ? [{ key: 'acts', label: t({ id: 'feedback.curated.acts', defaultMessage: 'Actions' }), isHidden: true }]
      : []),
  ];
  return (
    <ListTable
      columns={columns}
      items={items}
      isCurrent={({ id }) => id === current}
      cells={(answer) => (
        <>
          <td>
            <bdi className={table.name}>{answer.questions[0]}</bdi>
            <bdi className={`${table.second} ${classes.twoLines}`}>{answer.text}</bdi>
          </td>
          <td>
            <bdi>{nameOf(answer.chatbotId)}</bdi>
          </td>
          <td>
            <Status kind={answer.isActive ? 'ok' : 'off'}>
              {answer.isActive
                ? t({ id: 'feedback.curated.on', defaultMessage: 'Found' })
                : t({ id: 'feedback.curated.off', defaultMessage: 'Off' })}
            </Status>
          </td>
          <td>
            <bdi>{answer.author.name}</bdi>
            <span className={table.second} title={exact(answer.editedAt)}>
              {ago(answer.editedAt)}
            </span>
          </td>
          {onEdit ? (
            <td className={table.actions}>
              <Acts answer={answer} onEdit={onEdit} onDelete={onDelete} />
            </td>
          ) : null}
        </>
      )}
    />
  );
}

function Acts({
  answer,
  onEdit,
  onDelete,
}: {
  answer: CuratedAnswer;
  onEdit: (answer: CuratedAnswer) => void;
  onDelete: (answer: CuratedAnswer) => void;
}) {
  const { t } = useText();
  const off = useActionOff();
  const question = `\u2068${answer.questions[0] ?? ''}\u2069`;
  return (
    <span className={`${table.rowActions} ${table.onHover}`}>
      <IconButton
        icon={Pencil}
        label={t({ id: 'feedback.curated.editOne', defaultMessage: 'Edit the answer to “{question}”' }, { question })}
        onClick={() => onEdit(answer)}
        {...off}
      />
      <IconButton
        icon={Trash2}
        label={t(
          { id: 'feedback.curated.deleteOne', defaultMessage: 'Delete the answer to “{question}”' },
          { question },
        )}
        onClick={() => onDelete(answer)}
        {...off}
      />
    </span>
  );
}

function useChatbotName(): (id: ChatbotId | null) => string {
  const { t } = useText();
  const { data } = useChatbots();
  return (id) =>
    id === null
      ? t({ id: 'feedback.curated.everyChatbot', defaultMessage: 'every chatbot' })
      : (data?.items.find((one) => one.id === id)?.name ??
        t({ id: 'feedback.curated.otherChatbot', defaultMessage: 'a chatbot that you do not use' }));
}
