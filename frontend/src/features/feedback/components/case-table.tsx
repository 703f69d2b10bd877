import type { FeedbackId, FeedbackItem } from '@parley/contracts';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { BotMark, PersonAvatar } from '../../../domain/picture/avatar.tsx';
import { glyphs } from '../../../ui/glyph.ts';
import { ListTable } from '../../../ui/list-table.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import table from '../../../ui/table.module.css';
import classes from '../feedback.module.css';
import { stateKinds, useFeedbackWords } from '../feedback-words.ts';

type Props = { items: readonly FeedbackItem[]; fresh: ReadonlySet<string>; onOpen: (id: FeedbackId) => void };

export function CaseTable({ items, fresh, onOpen }: Props) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  const words = useFeedbackWords();
  const columns = [
    { key: 'case', label: t({ id: 'feedback.column.case', defaultMessage: 'Case' }) },
    { key: 'chatbot', label: t({ id: 'feedback.column.chatbot', defaultMessage: 'Chatbot and version' }) },
    { key: 'state', label: t({ id: 'feedback.column.state', defaultMessage: 'State' }) },
    { key: 'assignee', label: t({ id: 'feedback.column.assignee', defaultMessage: 'Who has it' }) },
    { key: 'reported', label: t({ id: 'feedback.column.reported', defaultMessage: 'Reported' }), isFigure: true },
  ];
  return (
    <ListTable
      columns={columns}
      items={items}
      isNew={({ id }) => fresh.has(id)}
      cells={(item) => (
        <>
          <td>
            <span className={table.named}>
              <Thumb rating={item.rating} />
              <span>
                <button type="button" className={`p-plain ${classes.open}`} onClick={() => onOpen(item.id)}>
                  <bdi className={classes.title}>{words.titleOf(item)}</bdi>
                </button>
                <span className={table.second}>{words.aboutOf(item)}</span>
              </span>
            </span>
          </td>
          <td>
            <span className={table.named}>
              <BotMark icon={glyphs[item.chatbot.glyph]} size={22} />
              <span className={classes.oneLine}>{words.chatbotVersion(item.chatbot)}</span>
            </span>
          </td>
          <td>
            <CaseState state={item.state} />
          </td>
          <td>
            {item.assignee ? (
              <span className={table.named}>
                <PersonAvatar id={item.assignee.userId} name={item.assignee.name} size={22} />
                <bdi className={`p-one-line ${classes.cut}`}>{item.assignee.name}</bdi>
              </span>
            ) : (
              <span className={table.quiet}>{t({ id: 'feedback.assignee.none', defaultMessage: 'nobody' })}</span>
            )}
          </td>
          <td className={`${table.figure} ${classes.oneLine}`} title={exact(item.ratedAt)}>
            {ago(item.ratedAt)}
          </td>
        </>
      )}
    />
  );
}

export function CaseState({ state }: { state: FeedbackItem['state'] }) {
  const { t } = useText();
  const words = useFeedbackWords();
  if (state === null)
    return (
      <span className={`${table.quiet} ${classes.oneLine}`}>
        {t({ id: 'feedback.state.none', defaultMessage: 'Nothing to do' })}
      </span>
    );
  return (
    <span className={`${table.state} ${classes.oneLine}`}>
      <StatusShape kind={stateKinds[state]} />
      {words.stateName(state)}
    </span>
  );
}

export function Thumb({ rating }: Pick<FeedbackItem, 'rating'>) {
  const words = useFeedbackWords();
  const Icon = rating === 'up' ? ThumbsUp : ThumbsDown;
  return <Icon aria-label={words.ratingName(rating)} className={classes.thumb} />;
}
