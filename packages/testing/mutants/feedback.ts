import type { Mutant } from './mutant.ts';

const own = 'chat/src/feedback/own-feedback.spec';
const cases = 'chat/src/feedback/feedback.spec';
const curated = 'chat/src/curated-answers';

export const feedbackMutants: readonly Mutant[] = [
  {
    breaks: 'more messages go along than somebody agreed to',
    file: 'services/chat/src/feedback/shared-messages.ts',
    find: 'talkTo(answer, rows).slice(-most)',
    put: 'talkTo(answer, rows)',
    spec: own,
  },
  {
    breaks: 'what was sent along stays when its chat is deleted',
    file: 'services/chat/src/feedback/feedback.repository.ts',
    find: 'await this.shared.within(scope, tx).deleteMany(these);',
    put: '',
    spec: own,
  },
  {
    breaks: 'a comment stays when its chat is deleted',
    file: 'services/chat/src/feedback/feedback.repository.ts',
    find: "const nothing = { comment: '', question",
    put: 'const nothing = { question',
    spec: own,
  },
  {
    breaks: 'anybody rates the answers of anybody in their organisation',
    file: 'services/chat/src/feedback/own-feedback.service.ts',
    find: '    await this.access.read(viewer, conversationId);\n',
    put: '',
    spec: own,
  },
  {
    breaks: 'a changed rating is counted twice',
    file: 'services/chat/src/feedback/own-feedback.service.ts',
    find: '{ from: known?.rating ?? null, to: row.rating }',
    put: '{ from: null, to: row.rating }',
    spec: own,
  },
  {
    breaks: 'titles of documents go along with what cites them',
    file: 'services/chat/src/feedback/shared-messages.ts',
    find: '({ number, chunkId, curated }) => ({ number, chunkId, curatedAnswerId: curated?.id ?? null })',
    put: '({ curated, ...citation }) => ({ ...citation, curatedAnswerId: curated?.id ?? null }) as never',
    spec: own,
  },
  {
    breaks: 'a case is changed over what somebody else has done',
    file: 'services/chat/src/feedback/feedback.service.ts',
    find: "if (row.revision !== revision) throw new Problem('platform.conflict', { current: toCase(row) });",
    put: '',
    spec: cases,
  },
  {
    breaks: 'nobody is told that somebody reads what was sent along',
    file: 'services/chat/src/feedback/feedback.service.ts',
    find: 'if (messages.length > 0 && this.isNewsOf(row, principal.userId))',
    put: 'if (messages.length < 0)',
    spec: cases,
  },
  {
    breaks: 'a reply reaches nobody who looks at the chat',
    file: 'services/chat/src/feedback/feedback.service.ts',
    find: 'tx.record(feedbackNoted, { orgId,',
    put: 'void ({ orgId,',
    spec: cases,
  },
  {
    breaks: 'a curated answer is said to a question about something else',
    file: 'services/chat/src/curated-answers/closeness.ts',
    find: 'export const closeEnough = 0.75;',
    put: 'export const closeEnough = 0.5;',
    spec: curated,
  },
  {
    breaks: 'another figure is taken for the same question',
    file: 'services/chat/src/curated-answers/closeness.ts',
    find: '  if (figuresOf(asked) !== figuresOf(known)) return 0;\n',
    put: '',
    spec: curated,
  },
  {
    breaks: 'a curated answer that is off is said',
    file: 'services/chat/src/curated-answers/curated-answers.repository.ts',
    find: 'isActive: true, chatbotId',
    put: 'chatbotId',
    spec: curated,
  },
  {
    breaks: 'the curated answer of one chatbot is said by another',
    file: 'services/chat/src/curated-answers/curated-answers.repository.ts',
    find: ', chatbotId: { $in: [chatbotId, null] }',
    put: '',
    spec: curated,
  },
  {
    breaks: 'whoever may not use a chatbot reads its curated answers',
    file: 'services/chat/src/curated-answers/curated-answers.service.ts',
    find: 'if (chatbotId !== null)\n      await this.chatbots',
    put: 'if (chatbotId === null)\n      await this.chatbots',
    spec: curated,
  },
];
