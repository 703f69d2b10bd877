import { orgId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** Stores what an organisation chose about titles by models; no row if nobody did. */
export const titleSettingRows = collection(
  'title_settings',
  { _id: orgId, isOn: z.boolean(), version: z.number().int() },
  { tenant: { organisation: '_id' }, indexes: [] },
);
