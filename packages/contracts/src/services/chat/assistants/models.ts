import { defineRoute, pageOf, patience, timestamp } from '@parley/protocol';
import { z } from 'zod';
import { providerId } from '../../../ids.ts';
import { currency } from '../../billing/rates.ts';

/** `builtin`, or `<provider id>/<model name>`. */
export const modelKey = z
  .string()
  .regex(/^(builtin|prv_[0-9A-HJKMNP-TV-Z]{26}\/[^\s]{1,200})$/)
  .brand<'ModelKey'>();
export type ModelKey = z.infer<typeof modelKey>;

/** How much of a conversation a model reads at once, question, passages and answer together; in tokens. */
const contextTokens = z.number().int().min(1_000).max(20_000_000);
/** The context length of a model if neither its server nor an admin gives one. */
export const assumedContextTokens = 8_000;

/** What a model costs, in micro-units of the currency for a million tokens. */
export const modelPrice = z.strictObject({ inputMicros: z.number().int(), outputMicros: z.number().int(), currency });
export type ModelPrice = z.infer<typeof modelPrice>;

/** Which protocol a model server speaks: that of OpenAI, as most do, Anthropic's Messages API or Google's Gemini API. */
export const providerKind = z.enum(['openai-compatible', 'anthropic', 'google']);
export type ProviderKind = z.infer<typeof providerKind>;

/** Whether a model accepts images. `unknown`: neither its server's list nor a test nor an admin has said so. */
export const imageSupport = z.enum(['yes', 'no', 'unknown']);
export type ImageSupport = z.infer<typeof imageSupport>;

export const model = z.strictObject({
  key: modelKey,
  label: z.string(),
  /** Null for the built-in assistant. */
  providerName: z.string().nullable(),
  isDefault: z.boolean(),
  /** Null for the built-in assistant, which reads no more than the question. */
  context: z.strictObject({ tokens: contextTokens, isAssumed: z.boolean() }).nullable(),
  /**
   * As of the last minute; null where none is set. Absent while billing is away, for people without `usage:read_own`, and
   * from processes of 0.2.0.
   */
  price: modelPrice.nullable().optional(),
  /** Null for the built-in assistant, which sees none; absent from processes of 0.2.0. */
  images: z.strictObject({ accepts: imageSupport }).nullable().optional(),
});
export type Model = z.infer<typeof model>;

/** What the picker offers. `documentCount`/`indexedAt` tell what the answers can draw on. */
export const listModels = defineRoute({
  service: 'chat',
  route: 'GET /api/chat/models',
  scope: 'organisation',
  permission: 'model:use',
  cost: 'read',
  response: z.strictObject({
    items: z.array(model),
    documentCount: z.number().int(),
    indexedAt: timestamp.nullable(),
    /** Seconds (1 to 86,400) after which tabs read the list again for a price change; absent if none is known. */
    pricesChangeInSeconds: z.number().int().optional(),
  }),
});

const modelName = z
  .string()
  .trim()
  .regex(/^[^\s]{1,200}$/);
/** The context length of one model, from its server's list or an admin. */
export const modelContext = z.strictObject({ model: modelName, tokens: contextTokens });
export type ModelContext = z.infer<typeof modelContext>;
/** Whether one model accepts images, from its server's list, a test or an admin. */
export const modelImages = z.strictObject({ model: modelName, accepts: imageSupport.exclude(['unknown']) });
export type ModelImages = z.infer<typeof modelImages>;

/** Where models are. The key is sealed; only its last four characters ever come back. */
export const provider = z.strictObject({
  id: providerId,
  /** Never changes. */
  kind: providerKind,
  name: z.string(),
  baseUrl: z.string(),
  keyHint: z.string().nullable(),
  models: z.array(z.string()),
  defaultModel: z.string(),
  /** New chats of the organisation start with this provider's default model. */
  isDefault: z.boolean(),
  /** Its models are asked to think before they answer, and to show it; only servers of other kinds than OpenAI's are. */
  thinks: z.boolean(),
  /** Gives passages and questions their vectors; null where this one does not. At most one provider of an organisation does. */
  embeddingModel: z.string().nullable(),
  /** Of the models whose context length is known; absent from processes of 0.2.0. */
  contexts: z.array(modelContext).optional(),
  /** Of the models of which it is known whether they accept images; absent from processes of 0.2.0. */
  images: z.array(modelImages).optional(),
  createdAt: timestamp,
  version: z.number().int(),
});
export type Provider = z.infer<typeof provider>;

/** As it is called later: a URL forgives line breaks and spaces, which are refused here. */
const baseUrl = z
  .url({ protocol: /^https?$/ })
  .regex(/^[^\s\p{C}]+$/u, 'has a space, a line break or an invisible character')
  .max(500);
const apiKey = z.string().trim().max(500);
const providerFields = {
  name: z.string().trim().min(1).max(80),
  baseUrl,
  models: z.array(modelName).min(1).max(500),
  defaultModel: modelName,
  isDefault: z.boolean(),
};
const thinks = z.boolean();
const embeddingModel = modelName.nullable();
/** Entries of models that the provider doesn't offer are kept and ignored. */
const isOncePerModel = (all: readonly { readonly model: string }[]): boolean =>
  new Set(all.map(({ model: name }) => name)).size === all.length;
const contexts = z.array(modelContext).max(500).refine(isOncePerModel, 'names a model twice');
/** As `contexts`. */
const images = z.array(modelImages).max(500).refine(isOncePerModel, 'names a model twice');
const configure = { service: 'chat', scope: 'organisation', permission: 'model:configure' } as const;
const oneProvider = z.strictObject({ providerId });

export const listProviders = defineRoute({
  ...configure,
  route: 'GET /api/chat/providers',
  cost: 'read',
  response: pageOf(provider),
});

export const createProvider = defineRoute({
  ...configure,
  route: 'POST /api/chat/providers',
  cost: 'outbound',
  status: 201,
  body: z.strictObject({
    id: providerId,
    kind: providerKind.default('openai-compatible'),
    ...providerFields,
    thinks: thinks.default(false),
    embeddingModel: embeddingModel.default(null),
    contexts: contexts.default([]),
    images: images.default([]),
    apiKey: apiKey.optional(),
  }),
  response: provider,
});

/**
 * `apiKey` absent keeps the key, null removes it. Changing the host needs the key again: a secret is bound to its host.
 * Another embedding model gives all passages their vectors anew; that of another provider is taken away.
 */
export const updateProvider = defineRoute({
  ...configure,
  route: 'PATCH /api/chat/providers/:providerId',
  cost: 'outbound',
  params: oneProvider,
  body: z
    .strictObject({ ...providerFields, thinks, embeddingModel, contexts, images })
    .partial()
    .extend({ version: z.number().int(), apiKey: apiKey.nullable().optional() }),
  response: provider,
});

export const deleteProvider = defineRoute({
  ...configure,
  route: 'DELETE /api/chat/providers/:providerId',
  cost: 'write',
  status: 204,
  params: oneProvider,
});

/** Why an answer failed; the browser words it. */
export const generationFailure = z.enum([
  'provider-refused', // 401 or 403: the key is not accepted
  'provider-rate-limited', // 429; `failureDetail` ends with the seconds to wait, where the server says them
  'provider-overloaded', // 503 or 529: it has too much to do
  'context-too-long', // conversation and passages are more than the model can read
  'images-refused', // the images of the question, by a model of which it isn't known whether it accepts images
  'provider-error', // 5xx, an error inside the stream, or something in it that is no answer
  'provider-unreachable', // no connection, or an address that may not be called
  'provider-unknown-host', // the host's name leads nowhere; `failureDetail` is that name
  'provider-stalled', // no word of the answer or of the model's thoughts for 60 s
  'provider-cut', // the connection ended before the answer did
  'model-missing', // the model was removed or is unknown to the server
  'too-long', // the answer passed 200,000 characters; its text is cut there
  'output-limit', // the model server cut it: the output limit asked for, its own, or the end of the model's context
  'budget-spent', // refused before the model was asked; `failureDetail` is the budget's id, what would have been held, and `held` where other answers hold what is left, with blanks between
  'budget-unavailable', // nobody could say whether there is a budget left; the model was not asked
  'deadline-passed', // it took longer than an answer may take here
  'internal',
]);
export type GenerationFailure = z.infer<typeof generationFailure>;

/** Which step of a provider test failed, in the order they are tried. */
export const providerTestStep = z.enum(['address', 'connection', 'key', 'models', 'answer']);

/**
 * Fetches the model list and, with `model`, streams one short answer; unless the list says whether that model accepts
 * images, it is also asked for the color of an image of 64 x 64 pixels of one color. With `providerId` and no `apiKey` the stored key
 * is used, but only against the stored host. Never throws for a failing provider: it tells the step and why, which the
 * browser words; `detail` is what the server or the system said, shortened and without secrets.
 */
export const testProvider = defineRoute({
  ...configure,
  route: 'POST /api/chat/providers/test',
  cost: 'outbound',
  patienceMs: patience.long,
  body: z.strictObject({
    kind: providerKind.default('openai-compatible'),
    baseUrl,
    apiKey: apiKey.optional(),
    providerId: providerId.optional(),
    model: modelName.optional(),
    thinks: thinks.default(false),
  }),
  response: z.strictObject({
    ok: z.boolean(),
    failedStep: providerTestStep.nullable(),
    failure: generationFailure.nullable(),
    detail: z.string().nullable(),
    models: z.array(z.string()),
    /** Of the models whose context length is in the list; absent from processes of 0.2.0. */
    contexts: z.array(modelContext).optional(),
    /** What the list and the test with an image have found; absent from processes of 0.2.0. */
    images: z.array(modelImages).optional(),
    firstTokenMs: z.number().nullable(),
  }),
});

export const providerOffer = z.strictObject({
  /** `ollama`, `lm-studio`, `vllm`, `llama-cpp` found on this machine, or `environment` (OPENAI_API_KEY). */
  source: z.enum(['ollama', 'lm-studio', 'vllm', 'llama-cpp', 'environment']),
  name: z.string(),
  baseUrl: z.string(),
  models: z.array(z.string()),
});
export type ProviderOffer = z.infer<typeof providerOffer>;

/** Model servers found on this machine and the environment's key: platform admins only; others get an empty list. */
export const listProviderOffers = defineRoute({
  ...configure,
  route: 'GET /api/chat/provider-offers',
  cost: 'read',
  response: z.strictObject({ items: z.array(providerOffer) }),
});

/**
 * Takes an offer over as a provider of this organisation; for platform admins it is also the consent to call that
 * address.
 */
export const acceptProviderOffer = defineRoute({
  ...configure,
  route: 'POST /api/chat/provider-offers/accept',
  cost: 'outbound',
  status: 201,
  body: z.strictObject({
    id: providerId,
    source: providerOffer.shape.source,
    baseUrl,
    defaultModel: modelName,
    isDefault: z.boolean(),
  }),
  response: provider,
});

export const modelRoutes = {
  listModels,
  listProviders,
  createProvider,
  updateProvider,
  deleteProvider,
  testProvider,
  listProviderOffers,
  acceptProviderOffer,
};
