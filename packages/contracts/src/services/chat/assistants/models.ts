import { defineRoute, pageOf, patience, timestamp } from '@parley/protocol';
import { z } from 'zod';
import { providerId } from '../../../ids.ts';
import { currency } from '../../billing/rates.ts';

/** The key of a model: `builtin`, or `<provider id>/<model name>`. */
export const modelKey = z
  .string()
  .regex(/^(builtin|prv_[0-9A-HJKMNP-TV-Z]{26}\/[^\s]{1,200})$/)
  .brand<'ModelKey'>();
export type ModelKey = z.infer<typeof modelKey>;

/** The tokens that a model reads at once: question, passages and answer together. */
const contextTokens = z.number().int().min(1_000).max(20_000_000);
/** The context length of a model if neither its server nor an admin gives one. */
export const assumedContextTokens = 8_000;

/** The price of a model, in micro-units of the currency for a million tokens. */
export const modelPrice = z.strictObject({ inputMicros: z.number().int(), outputMicros: z.number().int(), currency });
export type ModelPrice = z.infer<typeof modelPrice>;

/** The protocol of a model server: OpenAI's, as for most, Anthropic's Messages API, or Google's Gemini API. */
export const providerKind = z.enum(['openai-compatible', 'anthropic', 'google']);
export type ProviderKind = z.infer<typeof providerKind>;

/** Says if a model accepts images. `unknown`: its server's list, a test and admins say nothing. */
export const imageSupport = z.enum(['yes', 'no', 'unknown']);
export type ImageSupport = z.infer<typeof imageSupport>;

export const model = z.strictObject({
  key: modelKey,
  label: z.string(),
  /** Null for the built-in assistant. */
  providerName: z.string().nullable(),
  isDefault: z.boolean(),
  /** Null for the built-in assistant, which reads only the question. */
  context: z.strictObject({ tokens: contextTokens, isAssumed: z.boolean() }).nullable(),
  /**
   * The price, at most a minute old; null without a price. Missing while billing is unavailable, for people without
   * `usage:read_own`, and in responses of 0.2.0.
   */
  price: modelPrice.nullable().optional(),
  /** Null for the built-in assistant, which accepts no images; missing in responses of 0.2.0. */
  images: z.strictObject({ accepts: imageSupport }).nullable().optional(),
});
export type Model = z.infer<typeof model>;

/** Lists the models on offer. `documentCount` and `indexedAt` describe the documents that answers can use. */
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
    /**
     * Seconds (1 to 86,400) until a known change of prices, when tabs load the list again; missing if none is known.
     */
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
/** Says if one model accepts images, from its server's list, a test or an admin. */
export const modelImages = z.strictObject({ model: modelName, accepts: imageSupport.exclude(['unknown']) });
export type ModelImages = z.infer<typeof modelImages>;

/** A provider of models. Its key is stored sealed, and only the last four characters are ever returned. */
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
  /**
   * True if Parley asks the provider's models to reason before they answer. It asks only servers with another protocol
   * than OpenAI's.
   */
  thinks: z.boolean(),
  /** The model that embeds passages and questions; null for none. At most one provider of an organisation has one. */
  embeddingModel: z.string().nullable(),
  /** Lists the models with a known context length; missing in responses of 0.2.0. */
  contexts: z.array(modelContext).optional(),
  /** Lists the models for which the support of images is known; missing in responses of 0.2.0. */
  images: z.array(modelImages).optional(),
  createdAt: timestamp,
  version: z.number().int(),
});
export type Provider = z.infer<typeof provider>;

/** The exact base URL. Line breaks and spaces, which a URL would tolerate, are refused. */
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
/**
 * Returns whether each model has at most one entry. Entries of models that the provider doesn't offer are stored and
 * ignored.
 */
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
 * Changes a provider. Without `apiKey` the key stays, null removes it. Another host needs the key again, because a
 * secret is bound to its host. Another embedding model embeds all passages again, and replaces that of another
 * provider.
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

/** Why an answer failed. The browser translates it. */
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

/** The failed step of a provider test, in the order of the steps. */
export const providerTestStep = z.enum(['address', 'connection', 'key', 'models', 'answer']);

/**
 * Tests a provider: fetches its list of models and, with `model`, streams one short answer. If the list doesn't say
 * whether that model accepts images, the model is also asked for the colour of an image of 64 x 64 pixels. With
 * `providerId` and without `apiKey` the stored key is used, only against the stored host. A failing provider is no
 * error of the route: the response has step and reason, which the browser words. `detail` quotes the server or the
 * system, shortened and without secrets.
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
    /** Lists the models whose context length is in the server's list; missing in responses of 0.2.0. */
    contexts: z.array(modelContext).optional(),
    /**
     * Says for each model whether it accepts images, by the list and the test with an image; missing in responses of
     * 0.2.0.
     */
    images: z.array(modelImages).optional(),
    firstTokenMs: z.number().nullable(),
  }),
});

export const providerOffer = z.strictObject({
  /** The source of the offer: a model server found on this machine, or `environment` for the key in OPENAI_API_KEY. */
  source: z.enum(['ollama', 'lm-studio', 'vllm', 'llama-cpp', 'environment']),
  name: z.string(),
  baseUrl: z.string(),
  models: z.array(z.string()),
});
export type ProviderOffer = z.infer<typeof providerOffer>;

/**
 * Lists model servers found on this machine, and the environment's key. For platform admins; others get an empty list.
 */
export const listProviderOffers = defineRoute({
  ...configure,
  route: 'GET /api/chat/provider-offers',
  cost: 'read',
  response: z.strictObject({ items: z.array(providerOffer) }),
});

/**
 * Creates a provider of this organisation from an offer. A platform admin thereby also allows calls to the offer's
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
