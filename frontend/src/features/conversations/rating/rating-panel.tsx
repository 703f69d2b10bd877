import { Button, Textarea } from '@mantine/core';
import type { FeedbackReason, Message, OwnFeedback } from '@parley/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { feedbackReasons, useReasonNames } from '../../../domain/feedback/feedback-reasons.ts';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { shareable, useRate } from './own-feedback.ts';
import classes from './rating.module.css';

const longestComment = 2_000;
const settlingMs = 1_000;

type Props = { message: Message; own: OwnFeedback; onClose: () => void };

/** Asks why an answer is bad, and if the conversation may be included. The rating itself is already stored. */
export function RatingPanel({ message, own, onClose }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const [reasons, setReasons] = useState<readonly FeedbackReason[]>(own.reasons);
  const [comment, setComment] = useState(own.comment);
  const [count] = useState(() => shareable(client, orgId, message));
  const [isShared, setShared] = useState(own.sharedMessages > 0);
  const { mutate, error, isPending } = useRate(message);
  const title = t({ id: 'rating.panel.title', defaultMessage: 'What is wrong with it?' });
  const panel = useRef<HTMLElement>(null);
  // Scroll again when the readers' names have loaded, so that they are visible, too.
  useEffect(() => {
    const element = panel.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => element.scrollIntoView({ block: 'nearest' }));
    observer.observe(element);
    const timer = setTimeout(() => observer.disconnect(), settlingMs);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, []);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && panel.current?.contains(document.activeElement)) close();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const toggle = (reason: FeedbackReason) =>
    setReasons((known) => feedbackReasons.filter((one) => known.includes(one) !== (one === reason)));
  const send = () =>
    mutate(
      { rating: 'down', reasons: [...reasons], comment: comment.trim(), messages: isShared ? count : 0 },
      { onSuccess: onClose },
    );
  return (
    <section ref={panel} className={classes.panel} aria-label={title}>
      <header className={classes.head}>
        <h3 className="p-h3">{title}</h3>
        <IconButton icon={X} label={t({ id: 'rating.panel.close', defaultMessage: 'Close' })} onClick={onClose} />
      </header>
      <div className={classes.form}>
        <Reasons chosen={reasons} onToggle={toggle} />
        <Textarea
          label={t({ id: 'rating.panel.comment', defaultMessage: 'What should it say?' })}
          description={t({ id: 'rating.panel.commentAbout', defaultMessage: 'Optional. Reviewers see your name.' })}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={longestComment}
          dir="auto"
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        <Consent count={count} isShared={isShared} onChange={setShared} />
        <ErrorNote error={error} />
        <div className={classes.acts}>
          <Button onClick={send} loading={isPending} {...off}>
            {t({ id: 'rating.panel.send', defaultMessage: 'Send feedback' })}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'rating.panel.keep', defaultMessage: 'Keep only the rating' })}
          </Button>
          <Button variant="subtle" onClick={() => mutate(null, { onSuccess: onClose })} {...off}>
            {t({ id: 'rating.panel.withdraw', defaultMessage: 'Take the rating back' })}
          </Button>
        </div>
      </div>
    </section>
  );
}

function Reasons({
  chosen,
  onToggle,
}: {
  chosen: readonly FeedbackReason[];
  onToggle: (reason: FeedbackReason) => void;
}) {
  const { t } = useText();
  const nameOf = useReasonNames();
  return (
    <fieldset
      className={classes.reasons}
      aria-label={t({ id: 'rating.panel.reasons', defaultMessage: 'Reasons, as many as fit' })}
    >
      {feedbackReasons.map((reason) => {
        const isChosen = chosen.includes(reason);
        return (
          <button
            key={reason}
            type="button"
            className={classes.reason}
            aria-pressed={isChosen}
            onClick={() => onToggle(reason)}
          >
            {isChosen ? <Check size={14} /> : null}
            {nameOf(reason)}
          </button>
        );
      })}
    </fieldset>
  );
}

/** Names the people who can read the report, and how much, before the person agrees. */
function Consent({
  count,
  isShared,
  onChange,
}: {
  count: number;
  isShared: boolean;
  onChange: (isShared: boolean) => void;
}) {
  const { t, intl } = useText();
  const { organisation } = useTab();
  const id = useId();
  const { data } = useQuery({
    queryKey: ['organisation', organisation.id, 'feedback-readers'],
    queryFn: ({ signal }) => api('GET /api/chat/feedback-readers', { orgId: organisation.id, signal }),
    staleTime: 60_000,
  });
  const names = [
    ...(data?.names ?? []).map((name) => `\u2068${name}\u2069`),
    ...(data?.more
      ? [
          t(
            { id: 'rating.consent.more', defaultMessage: '{count, plural, one {# other} other {# others}}' },
            { count: data.more },
          ),
        ]
      : []),
  ];
  const isNamed = names.length > 0;
  return (
    <div className={`p-sm ${classes.consent}`}>
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-readers`}
        checked={isShared}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div>
        <label htmlFor={id}>
          {t({ id: 'rating.consent.label', defaultMessage: 'Send the chat up to this answer along' })}
        </label>
        <p id={`${id}-readers`} className="p-quiet">
          {isNamed
            ? t(
                {
                  id: 'rating.consent.named',
                  defaultMessage:
                    '{names} can then read {count, plural, one {this message} other {these # messages}}. The rest of the chat stays yours.',
                },
                { names: intl.formatList(names), count },
              )
            : t(
                {
                  id: 'rating.consent.anybody',
                  defaultMessage:
                    'People who can read feedback in {organisation} can then read {count, plural, one {this message} other {these # messages}}. The rest of the chat stays yours.',
                },
                { organisation: `\u2068${organisation.name}\u2069`, count },
              )}
        </p>
      </div>
    </div>
  );
}

/** Shows the sent report, with a way to change it; nothing for a thumb alone. */
export function Sent({ own, onChange }: { own: OwnFeedback; onChange: () => void }) {
  const { t, intl } = useText();
  const nameOf = useReasonNames();
  const { rating, reasons, comment, sharedMessages } = own;
  if (rating === 'up' || (reasons.length === 0 && comment === '' && sharedMessages === 0)) return null;
  const parts = [
    ...reasons.map(nameOf),
    ...(comment === '' ? [] : [t({ id: 'rating.sent.comment', defaultMessage: 'a comment' })]),
    ...(sharedMessages === 0
      ? []
      : [
          t(
            { id: 'rating.sent.messages', defaultMessage: '{count, plural, one {# message} other {# messages}}' },
            { count: sharedMessages },
          ),
        ]),
  ];
  return (
    <p className={`p-meta ${classes.sent}`}>
      <span>
        {t(
          { id: 'rating.sent.what', defaultMessage: 'Your feedback was sent: {what}.' },
          { what: intl.formatList(parts, { type: 'unit', style: 'short' }) },
        )}
      </span>
      <button type="button" className="p-link" onClick={onChange}>
        {t({ id: 'rating.sent.change', defaultMessage: 'Change it' })}
      </button>
    </p>
  );
}

/** Shows the reply to the report. */
export function Reply({ reply }: { reply: NonNullable<OwnFeedback['reply']> }) {
  const { t, rich } = useText();
  const { ago, exact } = useFormats();
  return (
    <section
      className={`p-sm ${classes.said}`}
      aria-label={t({ id: 'rating.reply.label', defaultMessage: 'Answer to your feedback' })}
    >
      <span className="p-quiet" title={exact(reply.at)}>
        {rich(
          { id: 'rating.reply.who', defaultMessage: '{name} answered your feedback, {when}' },
          {
            name: (
              <b key="name">
                <bdi>{reply.by}</bdi>
              </b>
            ),
            when: ago(reply.at),
          },
        )}
      </span>
      <span className={classes.words}>{reply.text}</span>
    </section>
  );
}
