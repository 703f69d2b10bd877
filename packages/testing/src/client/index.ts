export { messagesOf, type StreamMessage } from './event-reader.ts';
export { firstToken } from './first-token.ts';
export { HeldAnswer } from './held-answer.ts';
export { ParleyClient, RefusedCall, type LiveSocket } from './parley-client.ts';
export { ReadingTab } from './reading-tab.ts';
