import type { FeedbackId } from '@parley/contracts';
import { useText } from '../../lib/text.ts';
import { useUrlFilters } from '../../lib/url-filters.ts';
import { PageTabs, useCurrentTab } from '../../ui/page-tabs.tsx';
import { LivePage } from '../../ui/page.tsx';
import table from '../../ui/table.module.css';
import { AnswersTab } from './answers-tab.tsx';
import { CasesTab } from './cases-tab.tsx';
import { FeedbackExport } from './components/feedback-export.tsx';
import { feedbackTabs } from './feedback-tabs.ts';
import { useCases } from './use-cases.ts';

const feedbackId = /^fbk_[0-9A-HJKMNP-TV-Z]{26}$/;

/** What people say of answers, as cases, and what the organisation wants to be said instead. */
export function FeedbackPage() {
  const { t } = useText();
  const tabs = feedbackTabs.map(({ key, name }) => ({ key, label: t(name) }));
  const tab = useCurrentTab(tabs) ?? 'cases';
  const label = t({ id: 'feedback.tab.label', defaultMessage: 'Views of feedback' });
  const bar = <PageTabs label={label} tabs={tabs} current={tab} />;
  return tab === 'cases' ? <Cases bar={bar} /> : <AnswersTab bar={bar} />;
}

function Cases({ bar }: { bar: React.ReactNode }) {
  const { t } = useText();
  const cases = useCases();
  const [{ case: named }, setOpen] = useUrlFilters({ case: 'text' });
  const title = t({ id: 'feedback.page.title', defaultMessage: 'Feedback' });
  const open = cases.first?.open;
  return (
    <LivePage
      title={
        <>
          {title}{' '}
          {open === undefined ? null : (
            <span className={table.count}>
              {t({ id: 'feedback.page.open', defaultMessage: '{count, number} open' }, { count: open })}
            </span>
          )}
        </>
      }
      documentTitle={title}
      actions={<FeedbackExport filters={cases.filters} />}
    >
      {bar}
      <CasesTab
        cases={cases}
        open={named !== null && feedbackId.test(named) ? (named as FeedbackId) : null}
        onOpen={(id) => setOpen({ case: id })}
      />
    </LivePage>
  );
}
