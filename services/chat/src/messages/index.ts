export { estimateTokens, leaseMs, queueGraceMs, takeoverOf, type FinalStatus, type Generation } from './generation.ts';
export { GenerationsRepository, type Kept, type Lease, type Progress } from './generations.repository.ts';
export { searchScope, toMessage } from './message.ts';
export type { MessageRow } from './message.schema.ts';
export { MessagesModule } from './messages.module.ts';
export { MessagesRepository } from './messages.repository.ts';
export { MessagesService } from './messages.service.ts';
