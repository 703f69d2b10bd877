export { FairTurns, type FlowKey, type TurnBounds, type Waiting } from './fair-turns.ts';
export { Rotation } from './rotation.ts';
export { TurnQueue } from './turn-queue.ts';
export { WaitingWalk } from './waiting-walk.ts';
