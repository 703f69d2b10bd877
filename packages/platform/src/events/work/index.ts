export { job, type Actor, type Job } from './actor.ts';
export { callContext, newCallContext, traceparentFor, type CallContext } from '../../base/call-context.ts';
export { originFor, Work, workOfMigration } from './work.ts';
