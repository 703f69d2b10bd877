import type { FeedbackId, FeedbackItem } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { BotMark } from '../../../domain/picture/avatar.tsx';
import { glyphs } from '../../../ui/glyph.ts';
import classes from '../feedback.module.css';
import { useFeedbackWords } from '../feedback-words.ts';
import { CaseState } from './case-table.tsx';

type Props = {
  items: readonly FeedbackItem[];
  fresh: ReadonlySet<string>;
  open: FeedbackId | null;
  onOpen: (id: FeedbackId) => void;
};

/** Cases in two lines each: on a small screen, and beside an open one. */
export function CaseList({ items, fresh, open, onOpen }: Props) {
  const { t } = useText();
  const { ago } = useFormats();
  const words = useFeedbackWords();
  return (
    <ul className="p-data" aria-label={t({ id: 'tabs.feedback.cases', defaultMessage: 'Cases' })}>
      {items.map((item) => (
        <li key={item.id}>
          <button
            type="button"
            className={`p-sm ${classes.item}`}
            aria-current={item.id === open || undefined}
            data-new={fresh.has(item.id) || undefined}
            onClick={() => onOpen(item.id)}
          >
            <BotMark icon={glyphs[item.chatbot.glyph]} size={28} />
            <bdi className={`p-one-line ${classes.itemTitle}`}>{words.titleOf(item)}</bdi>
            <span className={classes.itemTime}>{ago(item.ratedAt)}</span>
            <span className={`p-one-line p-quiet ${classes.itemAbout}`}>
              <bdi>{item.chatbot.name}</bdi> · {words.shortAboutOf(item)}
            </span>
            <span className={classes.itemState}>
              <CaseState state={item.state} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
