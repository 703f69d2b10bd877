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
  'chat.project-not-found': {
    id: 'problem.chat.project-not-found',
    defaultMessage: 'This project does not exist, was deleted, or belongs to somebody else.',
  },
  'chat.project-deleted': {
    id: 'problem.chat.project-deleted',
    defaultMessage: 'This project was deleted. Its deletion can be undone for seven days.',
  },
  'chat.project-files-full': {
    id: 'problem.chat.project-files-full',
    defaultMessage: 'This project has 20 files, the most that it can have. Remove one first.',
  },
  'chat.message-not-found': {
    id: 'problem.chat.message-not-found',
    defaultMessage: 'This message no longer exists. It was deleted here or on another device.',
  },
  'chat.generation-not-found': {
    id: 'problem.chat.generation-not-found',
    defaultMessage: 'This answer no longer exists. It was deleted here or on another device.',
  },
  'chat.generation-running': {
    id: 'problem.chat.generation-running',
    defaultMessage: 'An answer is being written in this chat. Wait until it ends, or stop it.',
  },
  'chat.queue-full': {
    id: 'problem.chat.queue-full',
    defaultMessage: '20 questions are already queued in this chat. Withdraw one, or wait until the next one is sent.',
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
  'chat.too-many-versions': {
    id: 'problem.chat.too-many-versions',
    defaultMessage: 'The limit of versions is reached here. Branch to a new chat to go on.',
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
      'This kind of file can’t be read. Use PDF, Word (.docx), Excel (.xlsx), PowerPoint (.pptx), CSV, email (.eml), Markdown, plain text or HTML.',
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
  'chat.file-not-found': {
    id: 'problem.chat.file-not-found',
    defaultMessage: "A file isn't there any more. Remove it, or attach it again. Your text is saved.",
  },
  'chat.file-not-ready': {
    id: 'problem.chat.file-not-ready',
    defaultMessage: 'A file is still being read. Send your question when it is ready. Your text is saved.',
  },
  'chat.file-unreadable': {
    id: 'problem.chat.file-unreadable',
    defaultMessage: "Parley can't read one of the files. Remove it or try it again, then send your question.",
  },
  'chat.images-not-accepted': {
    id: 'problem.chat.images-not-accepted',
    defaultMessage: "The model doesn't accept images. Choose another chatbot or model, or remove the images.",
  },
  'chat.import-not-found': {
    id: 'problem.chat.import-not-found',
    defaultMessage: 'This import no longer exists. The chats it imported are still there.',
  },
  'chat.import-too-large': {
    id: 'problem.chat.import-too-large',
    defaultMessage:
      'The export is larger than this server allows. Upload it in several parts, or ask an admin to raise the limit.',
  },
  'chat.imports-full': {
    id: 'problem.chat.imports-full',
    defaultMessage: 'You have reached the limit of imports. Finish or delete one first.',
  },
  'chat.import-incomplete': {
    id: 'problem.chat.import-incomplete',
    defaultMessage: 'Parts of the upload are missing. Continue the upload, then try again.',
  },
  'chat.image-too-large': {
    id: 'problem.chat.image-too-large',
    defaultMessage: 'An image is too large. Make it smaller and try again.',
  },
  'chat.export-not-found': {
    id: 'problem.chat.export-not-found',
    defaultMessage: 'This export was deleted or is no longer available. Export your data again.',
  },
  'chat.export-running': {
    id: 'problem.chat.export-running',
    defaultMessage: 'An export is already in progress. Wait until it’s ready, or stop it.',
  },
  'chat.passage-not-found': {
    id: 'problem.chat.passage-not-found',
    defaultMessage: 'This passage is gone: its document was deleted or read again since.',
  },
  'chat.feedback-not-found': {
    id: 'problem.chat.feedback-not-found',
    defaultMessage: 'This feedback was taken back by the person who gave it. Look at the list again.',
  },
  'chat.curated-answer-not-found': {
    id: 'problem.chat.curated-answer-not-found',
    defaultMessage: 'This curated answer was deleted meanwhile, or is not for you.',
  },
});
