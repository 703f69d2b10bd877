import { quotaCounters, renames } from '@parley/platform/schema';

/** Gives what 0.3.0 called shares and stocks the names of flows and quotas. */
export const orgRenames = renames('flows-and-quotas', [
  quotaCounters,
  {
    collection: 'organisations',
    fields: { share: 'flow', shareUntil: 'flowUntil', shareAfter: 'flowAfter', hasOwnShare: 'hasOwnFlow' },
    indexes: ['share_1', 'shareUntil_1'],
  },
  { collection: 'invitations', fields: { mailShare: 'mailFlow' } },
  {
    collection: 'audit',
    values: { act: { 'own-share.turned-on': 'own-flow.turned-on', 'own-share.turned-off': 'own-flow.turned-off' } },
  },
]);
