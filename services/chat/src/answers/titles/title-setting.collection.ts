import { orgId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** Stores an organisation's choice about titles by models; no row until someone chooses. */
export const titleSettingRows = collection(
  'title_settings',
  { _id: orgId, isOn: z.boolean(), version: z.number().int() },
  { tenant: { organisation: '_id' }, indexes: [] },
);
