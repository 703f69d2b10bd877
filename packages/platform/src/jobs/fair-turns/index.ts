export { FairQueue } from './fair-queue.ts';
export { FairTurns, type FlowKey, type Waiting } from './fair-turns.ts';
export { WaitingWalk } from './waiting-walk.ts';
