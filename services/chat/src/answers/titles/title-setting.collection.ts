import { orgId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** What an organisation chose about titles by models; no row where nobody did. */
export const titleSettingRows = collection(
  'title_settings',
  { _id: orgId, isOn: z.boolean(), version: z.number().int() },
  { tenant: { organisation: '_id' }, indexes: [] },
);
