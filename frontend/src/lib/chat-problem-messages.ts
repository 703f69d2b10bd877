import { defineMessages } from 'react-intl';

/** What chat refuses; see `problem-messages.ts`. */
export const chatProblemMessages = defineMessages({
  'chat.conversation-not-found': {
    id: 'problem.chat.conversation-not-found',
    defaultMessage: 'This chat does not exist, was deleted, or belongs to somebody else.',
  },
  'chat.conversation-erased': {
    id: 'problem.chat.conversation-erased',
    defaultMessage: 'This chat was erased for good and can’t be restored.',
  },
  'chat.message-not-found': {
    id: 'problem.chat.message-not-found',
    defaultMessage: 'This message is not there any more. Reload the chat to see its present state.',
  },
  'chat.generation-not-found': {
    id: 'problem.chat.generation-not-found',
    defaultMessage: 'This answer is not there any more. Reload the chat to see its present state.',
  },
  'chat.generation-running': {
    id: 'problem.chat.generation-running',
    defaultMessage: 'An answer is being written in this chat. Wait until it ends, or stop it.',
  },
  'chat.chatbot-not-found': {
    id: 'problem.chat.chatbot-not-found',
    defaultMessage: 'This chatbot is not there, or not offered to you any more. Choose another one.',
  },
  'chat.answer-interrupted': {
    id: 'problem.chat.answer-interrupted',
    defaultMessage: 'The answer ended before it was whole. Ask again.',
  },
  'chat.answer-stopped': { id: 'problem.chat.answer-stopped', defaultMessage: 'The answer was stopped.' },
  'chat.budget-spent': {
    id: 'problem.chat.budget-spent',
    defaultMessage: 'The budget is spent. Ask for more, or wait for the next period.',
  },
  'chat.too-few-tests-pass': {
    id: 'problem.chat.too-few-tests-pass',
    defaultMessage: 'Too few tests pass on this draft. Run the test set, mend what fails, then publish.',
  },
  'chat.model-not-found': {
    id: 'problem.chat.model-not-found',
    defaultMessage: 'The chosen model is not offered any more. Choose another one and send again.',
  },
  'chat.provider-not-found': {
    id: 'problem.chat.provider-not-found',
    defaultMessage: 'This provider was removed meanwhile. Reload the list.',
  },
  'chat.context-too-long': {
    id: 'problem.chat.context-too-long',
    defaultMessage:
      'The chat and its sources are longer than the model can read. Begin a new chat, or choose another model.',
  },
  'chat.provider-failed': {
    id: 'problem.chat.provider-failed',
    defaultMessage: 'The model server failed. Test the provider in the organisation settings, or choose another model.',
  },
  'chat.document-not-found': {
    id: 'problem.chat.document-not-found',
    defaultMessage: 'This document is not there any more. Reload the list.',
  },
  'chat.document-file-missing': {
    id: 'problem.chat.document-file-missing',
    defaultMessage: "This document's original file isn't kept. Its text is still here.",
  },
  'chat.document-type-not-supported': {
    id: 'problem.chat.document-type-not-supported',
    defaultMessage:
      'This kind of file cannot be read. Use PDF, Word (.docx), Excel (.xlsx), PowerPoint (.pptx), CSV, mail (.eml), Markdown, plain text or HTML.',
  },
  'chat.document-empty': {
    id: 'problem.chat.document-empty',
    defaultMessage: 'The file is empty. Choose a file with text in it.',
  },
  'chat.document-limit-reached': {
    id: 'problem.chat.document-limit-reached',
    defaultMessage: 'Your organisation has reached the limit of passages. Delete documents you no longer need.',
  },
  'chat.storage-quota-reached': {
    id: 'problem.chat.storage-quota-reached',
    defaultMessage:
      'Your organisation has used up its storage quota. Delete documents or a data connection, or ask a platform admin to raise the quota. You can still read and delete everything.',
  },
  'chat.connection-not-found': {
    id: 'problem.chat.connection-not-found',
    defaultMessage: 'This data connection is not there any more. Look at the list again.',
  },
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
