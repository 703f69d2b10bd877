import type { ModelContext, ModelImages, ProviderKind } from '@parley/contracts';
import { z } from 'zod';
import { ModelFailure } from './model-client.ts';
import { callModelServer, jsonOf, readText, type ModelServer } from './model-server.ts';

/** A model of a server's list; null is what the list does not say. `contextTokens` is its context length in tokens. */
export type ListedModel = {
  readonly name: string;
  readonly contextTokens: number | null;
  readonly acceptsImages: boolean | null;
};

const name = z.string().min(1).max(200);
/** An implausible figure counts as none. */
const tokens = z.number().int().min(1_000).max(20_000_000).optional().catch(undefined);
/** OpenRouter and llama.cpp. */
const architecture = z
  .object({ input_modalities: z.array(z.string()) })
  .optional()
  .catch(undefined);
/** Mistral; Anthropic. */
const capabilities = z
  .object({
    vision: z.boolean().optional().catch(undefined),
    image_input: z.object({ supported: z.boolean() }).optional().catch(undefined),
  })
  .optional()
  .catch(undefined);
/** OpenAI's list says nothing of contexts; servers that speak its protocol have a name of their own for it. */
const byId = z
  .object({
    data: z
      .array(
        z.object({
          id: name,
          // OpenRouter, Together and others; vLLM and SGLang; Mistral; Groq; Anthropic; llama.cpp.
          context_length: tokens,
          max_model_len: tokens,
          max_context_length: tokens,
          context_window: tokens,
          max_input_tokens: tokens,
          meta: z.object({ n_ctx: tokens }).optional().catch(undefined),
          architecture,
          capabilities,
        }),
      )
      .max(5_000),
  })
  .transform(({ data }) =>
    data.map(({ id, meta, ...said }): ListedModel => {
      const acceptsImages =
        said.architecture?.input_modalities.includes('image') ??
        said.capabilities?.image_input?.supported ??
        said.capabilities?.vision ??
        null;
      const known = said.max_model_len ?? said.context_length ?? said.max_context_length ?? said.context_window;
      return { name: id, contextTokens: known ?? said.max_input_tokens ?? meta?.n_ctx ?? null, acceptsImages };
    }),
  );
/** Google names what it has as `models/<name>`, and says of each what it can do. */
const ofGoogle = z
  .object({
    models: z
      .array(z.object({ name, supportedGenerationMethods: z.array(z.string()).default([]), inputTokenLimit: tokens }))
      .max(5_000),
  })
  .transform(({ models }) =>
    models
      .filter(({ supportedGenerationMethods }) => supportedGenerationMethods.includes('generateContent'))
      .map((model): ListedModel => ({
        name: model.name.replace(/^models\//, ''),
        contextTokens: model.inputTokenLimit ?? null,
        acceptsImages: null,
      })),
  );
const lists = {
  'openai-compatible': { path: '/models', schema: byId },
  anthropic: { path: '/models?limit=1000', schema: byId },
  google: { path: '/models?pageSize=1000', schema: ofGoogle },
} as const satisfies Record<ProviderKind, { path: string; schema: z.ZodType<ListedModel[]> }>;
const mostBytes = 4_000_000;

/** Asks a server for its models (`GET /models`, whichever kind it is). Throws `ModelFailure` with the reason. */
export async function fetchModels(server: ModelServer, timeoutMs: number): Promise<ListedModel[]> {
  const { path, schema } = lists[server.kind];
  const text = await readText(
    await callModelServer(server, path, { signal: AbortSignal.timeout(timeoutMs) }),
    mostBytes,
  );
  if (text === null) throw new ModelFailure('provider-error', 'The model list is larger than 4 MB.');
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new ModelFailure(
      'provider-error',
      'The answer to GET /models is not a model list of this kind. Check the base URL; it often ends in /v1 or /v1beta.',
    );
  return parsed.data.filter((model) => !/\s/.test(model.name)).slice(0, 500);
}

/** The models whose context length is in the list. */
export const contextsIn = (listed: readonly ListedModel[]): ModelContext[] =>
  listed.flatMap(({ name: model, contextTokens }) =>
    contextTokens === null ? [] : [{ model, tokens: contextTokens }],
  );

/** The models of which the list says whether they accept images. */
export const imagesIn = (listed: readonly ListedModel[]): ModelImages[] =>
  listed.flatMap(({ name: model, acceptsImages }) =>
    acceptsImages === null ? [] : [{ model, accepts: acceptsImages ? ('yes' as const) : ('no' as const) }],
  );
