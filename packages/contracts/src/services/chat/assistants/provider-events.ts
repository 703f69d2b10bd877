import { defineEvent, orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { auditValues, changesBetween } from '../../../events/audit.ts';
import { providerId } from '../../../ids.ts';
import { modelContext, modelImages, providerKind } from './models.ts';

/** Models or providers changed, so pickers read them again. */
export const providersChanged = defineEvent('providers.changed.v1', 'chat', {
  data: z.object({ orgId }),
  key: 'orgId',
  live: { room: 'organisation', resources: ['models', 'providers'] },
  audit: 'provider.configured says it.',
  outside: [],
});

const configured = z
  .object({
    name: z.string(),
    host: z.string(),
    models: z.array(z.string()),
    /** This and the following fields are missing in events of earlier versions. */
    kind: providerKind.optional(),
    thinks: z.boolean().optional(),
    embeddingModel: z.string().nullable().optional(),
    contexts: z.array(modelContext).optional(),
    images: z.array(modelImages).optional(),
  })
  .nullable();

function configuredFields({
  name,
  host,
  models,
  kind,
  thinks,
  embeddingModel,
  contexts = [],
  images = [],
}: NonNullable<z.infer<typeof configured>>) {
  const { text, code, flag } = auditValues;
  return {
    name: text(name),
    host: text(host),
    models: auditValues.models(
      models.map((model) => {
        const accepts = images.find((one) => one.model === model)?.accepts;
        return {
          name: model,
          tokens: contexts.find((one) => one.model === model)?.tokens ?? null,
          images: accepts === undefined ? null : accepts === 'yes',
        };
      }),
    ),
    providerKind: kind ? code(kind) : null,
    reasoning: thinks === undefined ? null : flag(thinks),
    embeddingModel: text(embeddingModel),
  };
}

/** A provider was added, changed or removed. The event has its state before and after, never its key. */
export const providerConfigured = defineEvent('provider.configured.v1', 'chat', {
  data: z.object({
    orgId,
    providerId,
    by: userId,
    before: configured,
    after: configured,
    /** True if a key was set, replaced or removed. */
    isKeyChanged: z.boolean(),
  }),
  key: 'orgId',
  live: null,
  audit: ({ providerId: id, by, before, after, isKeyChanged }) => {
    const key = isKeyChanged && after ? auditValues.code(before ? 'changed' : 'given') : null;
    const changes = changesBetween(before && configuredFields(before), after && { ...configuredFields(after), key });
    return {
      act: before === null ? 'provider.added' : after === null ? 'provider.removed' : 'provider.changed',
      by,
      target: { of: 'provider', id, name: (after ?? before)?.name ?? null },
      changes,
    };
  },
});
