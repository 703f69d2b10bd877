import { flowCopies, quotaCounters, renames } from '@parley/platform/schema';

/** Gives rows of 0.3.0 the names of flows, quotas, paths and revisions. */
export const chatRenames = renames('flows-and-quotas', [
  flowCopies,
  quotaCounters,
  { collection: 'completions', fields: { turns: 'path' } },
  { collection: 'chat_imports', fields: { version: 'revision' } },
]);
