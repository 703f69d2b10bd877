import type { ProviderKind } from '@parley/contracts';
import { z } from 'zod';
import { ModelFailure } from './model-client.ts';
import { callModelServer, readText, type ModelServer } from './model-server.ts';

const name = z.string().min(1).max(200);
const byId = z
  .object({ data: z.array(z.object({ id: name })).max(5_000) })
  .transform(({ data }) => data.map(({ id }) => id));
/** Google names what it has as `models/<name>`, and says of each what it can do. */
const ofGoogle = z
  .object({
    models: z.array(z.object({ name, supportedGenerationMethods: z.array(z.string()).default([]) })).max(5_000),
  })
  .transform(({ models }) =>
    models
      .filter(({ supportedGenerationMethods }) => supportedGenerationMethods.includes('generateContent'))
      .map((model) => model.name.replace(/^models\//, '')),
  );
const lists = {
  'openai-compatible': { path: '/models', schema: byId },
  anthropic: { path: '/models?limit=1000', schema: byId },
  google: { path: '/models?pageSize=1000', schema: ofGoogle },
} as const satisfies Record<ProviderKind, { path: string; schema: z.ZodType<string[]> }>;
const mostBytes = 4_000_000;

/** Asks a server for its models (`GET /models`, whichever kind it is). Throws `ModelFailure` with the reason. */
export async function fetchModels(server: ModelServer, timeoutMs: number): Promise<string[]> {
  const { path, schema } = lists[server.kind];
  const text = await readText(
    await callModelServer(server, path, { signal: AbortSignal.timeout(timeoutMs) }),
    mostBytes,
  );
  if (text === null) throw new ModelFailure('provider-error', 'The model list is larger than 4 MB.');
  const parsed = schema.safeParse(safeJson(text));
  if (!parsed.success)
    throw new ModelFailure(
      'provider-error',
      'The answer to GET /models is not a model list of this kind. Check the base URL; it often ends in /v1 or /v1beta.',
    );
  return parsed.data.filter((id) => !/\s/.test(id)).slice(0, 500);
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
