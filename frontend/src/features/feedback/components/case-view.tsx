import type { FeedbackCase, FeedbackId } from '@parley/contracts';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { isProblem } from '../../../lib/http.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Note } from '../../../ui/note.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import classes from '../feedback.module.css';
import { useFeedbackWords } from '../feedback-words.ts';
import { useCase, useCaseAct } from '../use-case.ts';
import { CaseFacts } from './case-facts.tsx';
import { CaseMend } from './case-mend.tsx';
import { CaseReply } from './case-reply.tsx';
import { CaseTalk } from './case-talk.tsx';
import { Thumb } from './case-table.tsx';
import { CuratedForm } from './curated-form.tsx';

type Props = { feedbackId: FeedbackId; onClose: () => void };

/** One case: what was said, what it is about, and what is done about it. */
export function CaseView({ feedbackId, onClose }: Props) {
  const { t } = useText();
  const { data, error, refetch } = useCase(feedbackId);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const onKey = ({ key, target }: KeyboardEvent) => {
      const isElsewhere =
        target instanceof Element && target.closest('[role="dialog"], input, textarea, select, aside');
      if (key === 'Escape' && !isElsewhere) close();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const isGone = isProblem(error, 'chat.feedback-not-found');
  if (error && (isGone || !data))
    return (
      <div className={classes.scroll}>
        <div className={classes.back}>
          <Back onClose={onClose} />
        </div>
        <FailureView
          title={
            isGone
              ? t({ id: 'feedback.case.gone', defaultMessage: 'This feedback was taken back' })
              : t({ id: 'feedback.case.failed', defaultMessage: 'The case could not be loaded' })
          }
          error={error}
          onRetry={() => void refetch()}
        />
      </div>
    );
  if (!data)
    return (
      <div className={classes.scroll}>
        <SkeletonRows label={t({ id: 'feedback.case.loading', defaultMessage: 'The case is loading' })} />
      </div>
    );
  return <Shown item={data} onClose={onClose} />;
}

function Back({ onClose }: Pick<Props, 'onClose'>) {
  const { t } = useText();
  return (
    <IconButton
      icon={ArrowLeft}
      isMirrored
      label={t({ id: 'feedback.case.back', defaultMessage: 'Back to the list' })}
      onClick={onClose}
    />
  );
}

function Shown({ item, onClose }: { item: FeedbackCase; onClose: () => void }) {
  const { t } = useText();
  const mayManage = useRight('feedback:manage');
  const hasRoom = useMediaQuery('(min-width: 1100px)');
  const act = useCaseAct(item);
  /** The question that the right answer being written is for. */
  const [asked, setAsked] = useState<string | null>(null);
  return (
    <>
      <div className={classes.caseBody}>
        <article className={`${classes.case} p-data`}>
          <Heading item={item} onClose={onClose} />
          <ErrorNote error={act.error} />
          {item.comment === '' ? null : <blockquote className={classes.quote}>{item.comment}</blockquote>}
          {item.isChatDeleted ? (
            <Note kind="info">
              {t({
                id: 'feedback.case.chatDeleted',
                defaultMessage: 'The chat was deleted, and with it every word that was sent along. The rating stays.',
              })}
            </Note>
          ) : item.sharedMessages === 0 ? (
            <p className="p-sm p-quiet">
              {t({
                id: 'feedback.case.notShared',
                defaultMessage: 'The conversation was not sent along, so nobody here can read it.',
              })}
            </p>
          ) : null}
          {item.sharedMessages > 0 ? <CaseTalk item={item} /> : null}
          {mayManage ? <CaseMend item={item} isWriting={asked !== null} onWrite={setAsked} /> : null}
          <CaseReply item={item} act={act} />
        </article>
        {asked !== null && hasRoom ? null : <CaseFacts item={item} act={act} />}
      </div>
      {asked === null ? null : (
        <SidePanel
          title={t({ id: 'feedback.mend.curated', defaultMessage: 'Write the right answer' })}
          isForm
          onClose={() => setAsked(null)}
        >
          <CuratedForm
            answer={null}
            start={{ question: asked, chatbotId: item.chatbot.id, feedbackId: item.id }}
            onClose={() => setAsked(null)}
          />
        </SidePanel>
      )}
    </>
  );
}

function Heading({ item, onClose }: { item: FeedbackCase; onClose: () => void }) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  const words = useFeedbackWords();
  const { model, reporter, chatbot } = item;
  // The row that was clicked is gone: the keyboard goes on from here.
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <header className={classes.caseHead}>
      <Back onClose={onClose} />
      <div>
        <h2 ref={heading} tabIndex={-1} className="p-h2" dir="auto">
          {words.headingOf(item)}
        </h2>
        <p className={`p-sm p-quiet ${classes.about}`}>
          <Thumb rating={item.rating} />
          <bdi>{reporter.name}</bdi>
          <time dateTime={item.ratedAt} title={exact(item.ratedAt)}>
            {ago(item.ratedAt)}
          </time>
          <span>
            {chatbot.version === 0
              ? words.chatbotVersion(chatbot)
              : t(
                  { id: 'feedback.case.version', defaultMessage: '{name}, version {version, number}' },
                  { name: `\u2068${chatbot.name}\u2069`, version: chatbot.version },
                )}
          </span>
          {model.key === 'builtin' ? null : <bdi>{model.label}</bdi>}
          {item.reasons.map((reason) => (
            <span key={reason} className={classes.tag}>
              {words.reasonName(reason)}
            </span>
          ))}
        </p>
      </div>
    </header>
  );
}
