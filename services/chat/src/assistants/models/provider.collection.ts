import { modelContext, modelImages, providerId, providerKind } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

export const providerRows = collection(
  'providers',
  {
    _id: providerId,
    orgId,
    /** Absent, as are `thinks` and `embeddingModel`, in what earlier versions have written. */
    kind: providerKind,
    name: z.string(),
    baseUrl: z.string(),
    sealedKey: z.string().nullable(),
    keyHint: z.string().nullable(),
    models: z.array(z.string()),
    defaultModel: z.string(),
    isDefault: z.boolean(),
    thinks: z.boolean(),
    embeddingModel: z.string().nullable(),
    /** Absent in what earlier versions have written. */
    contexts: z.array(modelContext).optional(),
    /** As `contexts`. */
    images: z.array(modelImages).optional(),
    createdAt: z.date(),
    version: z.number(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, _id: 1 }] },
);
export type ProviderRow = RowOf<typeof providerRows>;

/** A non-public address that a platform admin has agreed to, for the whole installation. */
export const consentRows = collection(
  'outbound_consents',
  { _id: z.string(), givenBy: userId, givenByName: z.string().nullable(), at: z.date() },
  { tenant: 'platform' },
);
export type ConsentRow = RowOf<typeof consentRows>;
