import type { ModelClient } from './model-client.ts';
import type { ModelServer } from './model-server.ts';
import { OpenAiCompatibleClient } from './openai-compatible-client.ts';
import { SdkClient, type AskedModel } from './sdk-client.ts';

/** What asks a model of this server: OpenAI's protocol is read without an SDK (docs/adr/0007), the others with theirs. */
export function clientFor(server: ModelServer, asked: AskedModel): ModelClient {
  const { kind } = server;
  return kind === 'openai-compatible'
    ? new OpenAiCompatibleClient(server, asked.model)
    : new SdkClient({ ...server, kind }, asked);
}
