export const faults = [
  {
    breaks: 'The search reads messages of the whole organisation',
    file: '../../conversations/access.ts',
    find: 'searchScope(scope.orgId, principal.userId)',
    put: 'searchScope(scope.orgId)',
  },
  {
    breaks: 'Anyone who knows the id of a chat lists its messages',
    file: './messages.service.ts',
    find: 'await this.access.read(input, params.conversationId)',
    put: '(await this.conversations.find(scope, params.conversationId))!',
  },
  {
    breaks: 'A message is found by its id in any chat',
    file: '../../conversations/messages.repository.ts',
    find: '{ _id: id, conversationId }',
    put: '{ _id: id }',
  },
];
