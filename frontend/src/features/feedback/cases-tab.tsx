import type { FeedbackId } from '@parley/contracts';
import { MessageSquareWarning } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@mantine/core';
import { useText } from '../../lib/text.ts';
import { useMediaQuery } from '../../lib/use-media-query.ts';
import { ListView } from '../../ui/list-view.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { CaseBar } from './components/case-bar.tsx';
import { CaseList } from './components/case-list.tsx';
import { CaseTable } from './components/case-table.tsx';
import { CaseView } from './components/case-view.tsx';
import { CountsPanel, CountsStrip } from './components/counts-panel.tsx';
import classes from './feedback.module.css';
import type { Cases } from './use-cases.ts';
import { useNewIds } from './use-new-ids.ts';

type Props = { cases: Cases; open: FeedbackId | null; onOpen: (id: FeedbackId | null) => void };

/** The list with what it adds up to; with a case open, the list beside it. */
export function CasesTab({ cases, open, onOpen }: Props) {
  const isSmall = useMediaQuery('(max-width: 699px)');
  const hasRoom = useMediaQuery('(min-width: 1100px)');
  const [isCounted, setCounted] = useState(false);
  if (open !== null)
    return (
      <div className={classes.casePanes}>
        {hasRoom ? (
          <div className={classes.aside}>
            <Listed cases={cases} open={open} onOpen={onOpen} isNarrow />
          </div>
        ) : null}
        <CaseView key={open} feedbackId={open} onClose={() => onOpen(null)} />
      </div>
    );
  if (isSmall && isCounted) return <CountsPanel onClose={() => setCounted(false)} />;
  return (
    <div className={classes.panes}>
      <div className={classes.main}>
        {hasRoom ? null : <CountsStrip onOpen={isSmall ? () => setCounted(true) : null} />}
        <Listed cases={cases} open={null} onOpen={onOpen} isNarrow={isSmall} />
      </div>
      {hasRoom ? <CountsPanel /> : null}
    </div>
  );
}

function Listed({ cases, open, onOpen, isNarrow }: Props & { isNarrow: boolean }) {
  const { t } = useText();
  const fresh = useNewIds(cases.items, JSON.stringify(cases.filters));
  const clear = { state: 'all', chatbot: null, reason: null, rating: null, from: null } as const;
  return (
    <ListView
      list={cases}
      loading={t({ id: 'feedback.list.loading', defaultMessage: 'Feedback is loading' })}
      failed={t({ id: 'feedback.list.failed', defaultMessage: 'Feedback could not be loaded' })}
      empty={<Nothing onAll={() => cases.setFilters({ state: 'all' })} />}
      filtering={{
        bar: <CaseBar cases={cases} />,
        none: t({ id: 'feedback.list.none', defaultMessage: 'No feedback matches' }),
        about: t({
          id: 'feedback.list.noneText',
          defaultMessage: 'Below every answer people can say whether it was good, and what is wrong with it.',
        }),
        clear: () => cases.setFilters(clear),
      }}
    >
      {(items) =>
        isNarrow ? (
          <CaseList items={items} fresh={fresh} open={open} onOpen={onOpen} />
        ) : (
          <CaseTable items={items} fresh={fresh} onOpen={onOpen} />
        )
      }
    </ListView>
  );
}

/** Nothing is open: either nobody has said anything, or all of it is done. */
function Nothing({ onAll }: { onAll: () => void }) {
  const { t } = useText();
  return (
    <StateView
      icon={MessageSquareWarning}
      title={t({ id: 'feedback.empty.title', defaultMessage: 'No feedback is open' })}
      actions={
        <Button variant="default" size="xs" onClick={onAll}>
          {t({ id: 'feedback.empty.all', defaultMessage: 'Show all feedback' })}
        </Button>
      }
    >
      {t({
        id: 'feedback.empty.text',
        defaultMessage:
          'People can rate each answer. What they report appears here live, with the messages that they agreed to send.',
      })}
    </StateView>
  );
}
