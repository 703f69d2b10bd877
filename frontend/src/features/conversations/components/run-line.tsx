import type { Message } from '@parley/contracts';
import { BookMarked, Check, ChevronLeft, ChevronRight, Copy, RefreshCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { copyText } from '../../../lib/clipboard.ts';
import { useFormats } from '../../../lib/formats.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { offBecause, useActionOff } from '../../../ui/stale.tsx';
import { useAnswerCost } from '../budgets.ts';
import { useModelName } from '../model-name.ts';
import type { AnswerActions } from './answer-turn.tsx';
import classes from './turn.module.css';

/** All answers of one question, oldest first. */
export type Versions = { all: readonly Message[]; index: number };

/** Actions at the start; tokens, cost and duration at the end. */
export function RunLine({
  message,
  versions,
  isBusy,
  rating,
  actions,
}: {
  message: Message;
  versions: Versions;
  isBusy: boolean;
  rating: ReactNode;
  actions: AnswerActions;
}) {
  const { t } = useText();
  const mayAsk = useRight('chat:create');
  const isOff = useActionOff();
  const off = isBusy
    ? offBecause(t({ id: 'chat.run.busy', defaultMessage: 'Off until the running answer has ended' }))
    : isOff;
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(message.text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  const firstSource = message.citations[0]?.number;
  return (
    <div className={classes.run}>
      <div className={classes.actions}>
        <VersionSwitch versions={versions} onShow={actions.showVersion} />
        <IconButton
          icon={isCopied ? Check : Copy}
          label={
            isCopied
              ? t({ id: 'chat.run.copied', defaultMessage: 'Answer copied' })
              : t({ id: 'chat.run.copy', defaultMessage: 'Copy answer' })
          }
          onClick={() => void copy()}
          disabled={message.text === ''}
        />
        <span className={classes.rating}>{rating}</span>
        {mayAsk ? (
          <IconButton
            icon={RefreshCw}
            label={t({ id: 'chat.run.again', defaultMessage: 'Answer again' })}
            onClick={() => actions.askAgain(message)}
            {...off}
          />
        ) : null}
        {firstSource === undefined ? null : (
          <IconButton
            icon={BookMarked}
            label={t(
              { id: 'chat.run.sources', defaultMessage: 'Show {count, plural, one {# source} other {# sources}}' },
              { count: message.citations.length },
            )}
            onClick={() => actions.openSource(message, firstSource)}
          />
        )}
      </div>
      <RunFacts message={message} />
    </div>
  );
}

function VersionSwitch({
  versions: { all, index },
  onShow,
}: {
  versions: Versions;
  onShow: (message: Message) => void;
}) {
  const { t } = useText();
  const [before, after] = [all[index - 1], all[index + 1]];
  if (all.length < 2) return null;
  return (
    <>
      <IconButton
        icon={ChevronLeft}
        isMirrored
        label={t({ id: 'chat.version.before', defaultMessage: 'Answer before' })}
        disabled={!before}
        onClick={() => before && onShow(before)}
      />
      <span className={classes.version}>
        {t({ id: 'chat.version.place', defaultMessage: '{place} of {count}' }, { place: index + 1, count: all.length })}
      </span>
      <IconButton
        icon={ChevronRight}
        isMirrored
        label={t({ id: 'chat.version.after', defaultMessage: 'Answer after' })}
        disabled={!after}
        onClick={() => after && onShow(after)}
      />
    </>
  );
}

function RunFacts({ message }: { message: Message }) {
  const { t } = useText();
  const { seconds, cost, number } = useFormats();
  const paid = useAnswerCost(message);
  const nameOf = useModelName();
  const { generation } = message;
  // Otherwise it is what the answer goes by.
  const facts: string[] = generation?.chatbot?.version ? [nameOf(generation.model)] : [];
  const count = generation?.usage ? generation.usage.inputTokens + generation.usage.outputTokens : 0;
  if (generation?.usage && count > 0) {
    facts.push(
      generation.usage.estimated
        ? t(
            { id: 'chat.run.tokensEstimated', defaultMessage: '≈ {count, plural, one {# token} other {# tokens}}' },
            { count },
          )
        : t({ id: 'chat.run.tokens', defaultMessage: '{count, plural, one {# token} other {# tokens}}' }, { count }),
    );
  }
  if (count > 0 && paid?.costMicros != null && paid.currency !== null) facts.push(cost(paid.costMicros, paid.currency));
  if (paid?.excess)
    facts.push(
      t(
        { id: 'chat.run.excess', defaultMessage: '{count} tokens more than were held' },
        { count: number(paid.excess.tokens) },
      ),
    );
  if (generation?.startedAt && generation.finishedAt)
    facts.push(seconds(Math.max(0, Date.parse(generation.finishedAt) - Date.parse(generation.startedAt))));
  return <span className={classes.facts}>{facts.join(' · ')}</span>;
}
