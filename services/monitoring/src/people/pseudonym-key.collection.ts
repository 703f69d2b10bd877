import { orgId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** By which an organisation's pseudonyms are made: without it nobody can tell any more whose they were. */
export const pseudonymKeyRows = collection(
  'pseudonym_keys',
  { _id: orgId, orgId, key: z.string() },
  { tenant: { organisation: 'orgId' } },
);
