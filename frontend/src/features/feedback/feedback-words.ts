import type { FeedbackItem, FeedbackState } from '@parley/contracts';
import { defineMessages } from 'react-intl';
import { useReasonNames } from '../../domain/feedback/feedback-reasons.ts';
import { useText } from '../../lib/text.ts';
import { useVersionName } from '../../domain/chatbot/use-version-name.ts';
import type { StatusKind } from '../../ui/status-shape.tsx';

const names = defineMessages({
  new: { id: 'feedback.state.new', defaultMessage: 'New' },
  'in-work': { id: 'feedback.state.inWork', defaultMessage: 'In work' },
  fixed: { id: 'feedback.state.fixed', defaultMessage: 'Fixed' },
  'wont-fix': { id: 'feedback.state.wontFix', defaultMessage: 'Won’t fix' },
});
export const stateKinds: Readonly<Record<FeedbackState, StatusKind>> = {
  new: 'new',
  'in-work': 'running',
  fixed: 'ok',
  'wont-fix': 'waiting',
};
export const caseStates = Object.keys(names) as FeedbackState[];

/** Longer first lines are cut: the rest stands in the case. */
const longestTitle = 120;

type Titled = Pick<FeedbackItem, 'comment' | 'question' | 'reasons' | 'rating'>;

/** Cases in words. */
export function useFeedbackWords() {
  const { t, intl } = useText();
  const reasonName = useReasonNames();
  const versionName = useVersionName();
  const reasonsText = ({ reasons }: Pick<FeedbackItem, 'reasons'>) =>
    intl.formatList(reasons.map(reasonName), { type: 'unit', style: 'short' });
  const ratingName = (rating: FeedbackItem['rating']) =>
    rating === 'up'
      ? t({ id: 'feedback.rating.up', defaultMessage: 'Good answer' })
      : t({ id: 'feedback.rating.down', defaultMessage: 'Bad answer' });
  const titleOf = (item: Titled): string => {
    const [line = ''] = item.comment.split('\n', 1);
    return line.slice(0, longestTitle) || (item.question ?? (reasonsText(item) || ratingName(item.rating)));
  };
  return {
    stateName: (state: FeedbackState) => t(names[state]),
    reasonName,
    reasonsText,
    ratingName,
    /** What a case goes by: the reporter's own words, else the question, else why, else the rating alone. */
    titleOf,
    /** Above the reporter's own words: the question, else why. */
    headingOf: (item: Titled): string => titleOf({ ...item, comment: '' }),
    /** Whose it is, and why where the title does not say that. */
    aboutOf: (item: FeedbackItem): string => {
      const reasons = reasonsText(item);
      const parts = [
        `\u2068${item.reporter.name}\u2069`,
        ...(reasons === '' || reasons === titleOf(item) ? [] : [reasons]),
      ];
      return parts.join(' · ');
    },
    /** Beside a case's title where there is little room: why, else whose it is. */
    shortAboutOf: (item: FeedbackItem): string =>
      reasonsText(item) === '' || reasonsText(item) === titleOf(item)
        ? `\u2068${item.reporter.name}\u2069`
        : reasonsText(item),
    chatbotVersion: ({ name, version }: FeedbackItem['chatbot']) =>
      version === 0
        ? `\u2068${name}\u2069 · ${versionName(version)}`
        : t(
            { id: 'feedback.chatbot.version', defaultMessage: '{name} {version, number}' },
            { name: `\u2068${name}\u2069`, version },
          ),
  };
}
