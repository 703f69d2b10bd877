import type { DataMigration } from '@parley/platform/schema';

/** Copies of earlier versions say nothing of approvals; org publishes those that are approved. */
export const earlierOverviews: DataMigration = {
  name: 'overview-approvals',
  title: 'noting which organisations are approved',
  async batch(mongo) {
    await mongo.connection.collection('org_overview').updateMany({ approval: null }, { $set: { approval: 'none' } });
    return null;
  },
};
