// What chat offers: every route and event that is exported here is known everywhere.
export * from './chat-chatbots.ts';
export * from './chat-trials.ts';
export * from './chat-completions.ts';
export * from './chat-connections.ts';
export * from './chat-conversation-events.ts';
export * from './chat-conversations.ts';
export * from './chat-curated-answers.ts';
export * from './chat-documents.ts';
export * from './chat-embeddings.ts';
export * from './chat-feedback-events.ts';
export * from './chat-feedback.ts';
export * from './chat-models.ts';
export * from './chat-outbound.ts';
export * from './chat-running.ts';
export * from './chat-search-tests.ts';
export * from './chat-search.ts';
export * from './chat-tests.ts';
