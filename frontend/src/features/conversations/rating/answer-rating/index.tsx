import type { Message } from '@parley/contracts';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { LateTexts } from '../../../../lib/late-texts.tsx';
import { useText } from '../../../../lib/text.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import { useErrorToast } from '../../../../ui/error-toast.ts';
import { useOwnFeedback, useRate } from '../own-feedback.ts';
import { RatingPanel, Reply, Sent } from '../rating-panel.tsx';

type Props = { message: Message; isOpen: boolean; onOpen: (isOpen: boolean) => void };

const plain = { reasons: [], comment: '', messages: 0 };

/** Shows thumbs up and down. Pressing the same one again undoes it, or opens the form for a reason. */
export const RatingButtons = (props: Props) => (
  <LateTexts part="rating">
    <Thumbs {...props} />
  </LateTexts>
);

function Thumbs({ message, isOpen, onOpen }: Props) {
  const { t } = useText();
  const own = useOwnFeedback(message);
  const off = useActionOff();
  const showError = useErrorToast();
  const { mutate, isPending } = useRate(message);
  const rating = own?.rating ?? null;
  const rate = (wanted: Parameters<typeof mutate>[0]) => mutate(wanted, { onError: showError });
  const good = () => {
    onOpen(false);
    rate(rating === 'up' ? null : { ...plain, rating: 'up' });
  };
  const bad = () => {
    if (rating !== 'down') rate({ ...plain, rating: 'down' });
    onOpen(!isOpen);
  };
  const isUnknown = own === undefined || isPending;
  return (
    <>
      <IconButton
        icon={ThumbsUp}
        label={
          rating === 'up'
            ? t({ id: 'rating.act.upBack', defaultMessage: 'Take “good answer” back' })
            : t({ id: 'rating.act.up', defaultMessage: 'Good answer' })
        }
        aria-pressed={rating === 'up'}
        disabled={isUnknown}
        onClick={good}
        {...off}
      />
      <IconButton
        icon={ThumbsDown}
        label={
          rating === 'down'
            ? t({ id: 'rating.act.downMore', defaultMessage: 'Bad answer: say what is wrong' })
            : t({ id: 'rating.act.down', defaultMessage: 'Bad answer' })
        }
        aria-pressed={rating === 'down'}
        aria-expanded={isOpen}
        disabled={isUnknown}
        onClick={bad}
        {...off}
      />
    </>
  );
}

/** Shows below the answer the form for a reason, the sent report, and its reply. */
export const RatingFoot = (props: Props) => (
  <LateTexts part="rating">
    <Foot {...props} />
  </LateTexts>
);

function Foot({ message, isOpen, onOpen }: Props) {
  const own = useOwnFeedback(message);
  if (!own) return null;
  return (
    <>
      {isOpen && own.rating === 'down' ? (
        <RatingPanel key={own.id} message={message} own={own} onClose={() => onOpen(false)} />
      ) : (
        <Sent own={own} onChange={() => onOpen(true)} />
      )}
      {own.reply ? <Reply reply={own.reply} /> : null}
    </>
  );
}
