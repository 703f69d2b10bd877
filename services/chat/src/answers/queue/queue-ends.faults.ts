export const faults = [
  {
    breaks: 'Two processes start the same question, or one as it was before it was edited',
    file: './queue-starter.ts',
    find: 'throw new Superseded()',
    put: 'void 0',
  },
  {
    breaks: 'What waits under a deleted message is lost',
    file: './queue-parents.ts',
    find: 'await this.drafts.giveBack(scope, { userId: first.author.userId, conversationId, texts, files }, tx);',
    put: '',
  },
];
