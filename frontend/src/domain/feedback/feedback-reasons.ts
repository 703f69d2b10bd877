import type { FeedbackReason } from '@parley/contracts';
import { useCallback } from 'react';
import { defineMessages } from 'react-intl';
import { useText } from '../../lib/text.ts';

const names = defineMessages({
  'wrong-facts': { id: 'rating.reason.wrongFacts', defaultMessage: 'Wrong facts' },
  'out-of-date': { id: 'rating.reason.outOfDate', defaultMessage: 'Out of date' },
  'not-in-source': { id: 'rating.reason.notInSource', defaultMessage: 'Source does not say it' },
  incomplete: { id: 'rating.reason.incomplete', defaultMessage: 'Incomplete' },
  'beside-question': { id: 'rating.reason.besideQuestion', defaultMessage: 'Ignored my question' },
  'too-long': { id: 'rating.reason.tooLong', defaultMessage: 'Too long' },
  language: { id: 'rating.reason.language', defaultMessage: 'Wrong language' },
  style: { id: 'rating.reason.style', defaultMessage: 'Wrong tone' },
  refused: { id: 'rating.reason.refused', defaultMessage: 'Refused' },
  other: { id: 'rating.reason.other', defaultMessage: 'Something else' },
} satisfies Record<FeedbackReason, object>);

/** In the order in which they are offered. */
export const feedbackReasons = Object.keys(names) as FeedbackReason[];

/** What a reason is called. */
export function useReasonNames(): (reason: FeedbackReason) => string {
  const { t } = useText();
  return useCallback((reason) => t(names[reason]), [t]);
}
