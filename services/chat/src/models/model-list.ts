import { z } from 'zod';
import { ModelFailure } from './model-client.ts';
import { callModelServer, readText, type ModelServer } from './model-server.ts';

const modelList = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).max(5_000) });
const mostBytes = 4_000_000;

/** Asks an OpenAI-compatible endpoint for its models (`GET /models`). Throws `ModelFailure` with the reason. */
export async function fetchModels(server: ModelServer, timeoutMs: number): Promise<string[]> {
  const text = await readText(
    await callModelServer(server, '/models', { signal: AbortSignal.timeout(timeoutMs) }),
    mostBytes,
  );
  if (text === null) throw new ModelFailure('provider-error', 'The model list is larger than 4 MB.');
  const parsed = modelList.safeParse(safeJson(text));
  if (!parsed.success)
    throw new ModelFailure(
      'provider-error',
      'The answer to GET /models is not an OpenAI model list. Check the base URL; it often ends in /v1.',
    );
  return parsed.data.data
    .map((model) => model.id)
    .filter((id) => !/\s/.test(id))
    .slice(0, 500);
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
