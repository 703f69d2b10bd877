import { z } from 'zod';
import { ModelFailure } from './model-client.ts';
import { toModelFailure } from './to-model-failure.ts';

const modelList = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).max(5_000) });
const mostBytes = 4_000_000;

/** Asks an OpenAI-compatible endpoint for its models (`GET /models`). Throws `ModelFailure` with the reason. */
export async function fetchModels(endpoint: { baseUrl: string; apiKey: string | null; fetch: typeof fetch; timeoutMs: number }): Promise<string[]> {
  const { baseUrl, apiKey, fetch, timeoutMs } = endpoint;
  try {
    const headers = apiKey === null ? undefined : { authorization: `Bearer ${apiKey}` };
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, { signal: AbortSignal.timeout(timeoutMs), ...(headers && { headers }) });
    const text = await readLimited(response);
    if (!response.ok) throw Object.assign(new Error(`HTTP ${response.status}`), { statusCode: response.status, responseBody: text.slice(0, 1_000) });
    const parsed = modelList.safeParse(safeJson(text));
    if (!parsed.success) throw new ModelFailure('provider-error', 'The answer to GET /models is not an OpenAI model list. Check the base URL; it often ends in /v1.');
    return parsed.data.data.map((model) => model.id).filter((id) => !/\s/.test(id)).slice(0, 500);
  } catch (error) {
    throw toModelFailure(error);
  }
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  if (!response.body) return '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new ModelFailure('provider-error', 'The model list is larger than 4 MB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
