import { defineMessages } from 'react-intl';

export const chatProblemMessages = defineMessages({
  'chat.passage-not-found': {
    id: 'problem.chat.passage-not-found',
    defaultMessage: 'This passage is gone: its document was deleted or read again since.',
  },
  'chat.feedback-not-found': {
    id: 'problem.chat.feedback-not-found',
    defaultMessage: 'This feedback is not there any more: whoever gave it has taken it back. Look at the list again.',
  },
  'chat.curated-answer-not-found': {
    id: 'problem.chat.curated-answer-not-found',
    defaultMessage: 'This curated answer was deleted meanwhile, or is not for you.',
  },
});
