import { defineMessages } from 'react-intl';
import type { PageTab } from '../../lib/page-tab.ts';

const names = defineMessages({
  cases: { id: 'tabs.feedback.cases', defaultMessage: 'Cases' },
  answers: { id: 'tabs.feedback.answers', defaultMessage: 'Curated answers' },
});

/** The tabs of Feedback. */
export const feedbackTabs = [
  { key: 'cases', name: names.cases },
  { key: 'answers', name: names.answers },
] as const satisfies readonly PageTab[];
