import { z } from 'zod';
import { ModelFailure } from './model-client.ts';
import { callModelServer, jsonOf, readText, type ModelServer } from './model-server.ts';
import { toModelFailure } from './to-model-failure.ts';

/** The vector of each text, in their order, and what it took; null where the server does not say. */
export type Embedded = { readonly vectors: readonly (readonly number[])[]; readonly inputTokens: number | null };

const mostBytes = 32_000_000;
const mostDimensions = 8_192;
const mostTokens = 100_000_000;
const answer = z.object({
  data: z.array(
    z.object({ index: z.number().int().min(0).optional(), embedding: z.array(z.number()).min(1).max(mostDimensions) }),
  ),
  usage: z
    .object({ prompt_tokens: z.number().int().min(0).max(mostTokens) })
    .optional()
    .catch(undefined),
});

/** It answered, but no vectors: it may have counted what it was asked. */
export class NoVectors extends ModelFailure {}

/** Whether the server may have counted tokens although it gave no vectors. */
export const mayHaveUsed = (error: unknown): boolean =>
  error instanceof NoVectors ||
  (error instanceof ModelFailure && ['provider-stalled', 'provider-cut'].includes(error.reason));

/** Bad request, content too large, unprocessable content. */
const statusOfRefusal: ReadonlySet<unknown> = new Set([400, 413, 422]);

/** The server takes none of what it was given, now or later; it may be one text alone that it means. */
export const isRefusalOfTexts = (error: unknown): error is ModelFailure =>
  error instanceof ModelFailure &&
  (error.reason === 'context-too-long' ||
    (error.reason === 'provider-error' &&
      statusOfRefusal.has((error.cause as { readonly statusCode?: unknown } | undefined)?.statusCode)));

/** Asks an OpenAI-compatible server for vectors (`POST /embeddings`). Throws `ModelFailure` with the reason. */
export async function embedTexts(
  server: ModelServer,
  { model, texts }: { readonly model: string; readonly texts: readonly string[] },
  signal: AbortSignal,
): Promise<Embedded> {
  const asked = { model, input: texts, encoding_format: 'float' };
  const body = await callModelServer(server, '/embeddings', { signal, body: asked, accept: 'application/json' });
  try {
    return embeddedIn(await readText(body, mostBytes), texts.length);
  } catch (error) {
    throw toModelFailure(error, server);
  }
}

function embeddedIn(text: string | null, count: number): Embedded {
  if (text === null) throw new NoVectors('provider-error', 'The answer to POST /embeddings is larger than 32 MB.');
  const parsed = answer.safeParse(jsonOf(text));
  if (!parsed.success) throw new NoVectors('provider-error', 'The answer to POST /embeddings holds no vectors.');
  const { data, usage } = parsed.data;
  const vectors = data
    .map(({ index, embedding }, at) => ({ place: index ?? at, embedding }))
    .toSorted((one, other) => one.place - other.place);
  if (vectors.length !== count || vectors.some(({ place }, at) => place !== at))
    throw new NoVectors('provider-error', `It was asked for ${count} vectors and gave ${vectors.length}.`);
  if (vectors.some(({ embedding }) => embedding.length !== vectors[0]?.embedding.length))
    throw new NoVectors('provider-error', 'Its vectors differ in their dimensions.');
  return { vectors: vectors.map(({ embedding }) => embedding), inputTokens: usage?.prompt_tokens ?? null };
}
