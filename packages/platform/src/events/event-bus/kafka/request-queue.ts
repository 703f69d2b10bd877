import { createRequire } from 'node:module';

type RequestQueue = { readonly pending: readonly unknown[]; scheduleCheckPendingRequests(): void };

/**
 * kafkajs 2.2.4 looks at each connection's waiting requests every millisecond for as long as it is open, also when none
 * waits (tulios/kafkajs#1704): hundreds of wake-ups a second that cost an idle process up to half of its CPU, each with
 * a negative time. After this call it looks only while requests wait. Throws when kafkajs no longer has that method.
 */
export function calmRequestQueues(): void {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
    prototype: RequestQueue;
  };
  const schedule = prototype.scheduleCheckPendingRequests;
  if (typeof schedule !== 'function') throw new Error('kafkajs has no such request queue any more.');
  prototype.scheduleCheckPendingRequests = function whenRequestsWait(this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}
