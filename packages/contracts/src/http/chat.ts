export * from './chat-conversations.ts';
export * from './chat-documents.ts';
export * from './chat-models.ts';
import { conversationRoutes } from './chat-conversations.ts';
import { documentRoutes } from './chat-documents.ts';
import { modelRoutes } from './chat-models.ts';

export const chatRoutes = { ...conversationRoutes, ...documentRoutes, ...modelRoutes };
