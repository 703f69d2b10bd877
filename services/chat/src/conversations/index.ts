export { titleFrom, toConversation, type StoredConversation } from './conversation.ts';
export { ConversationsModule } from './conversations.module.ts';
export { ConversationsRepository } from './conversations.repository.ts';
export { ConversationsService } from './conversations.service.ts';
