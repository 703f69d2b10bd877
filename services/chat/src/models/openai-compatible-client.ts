import { readCompletion } from './completion-events.ts';
import { ModelFailure, type ModelClient, type ModelPart, type ModelRequest } from './model-client.ts';
import { callModelServer, type ModelServer } from './model-server.ts';
import { messagesOf } from './prompt.ts';
import { toModelFailure } from './to-model-failure.ts';

/**
 * Answers from an OpenAI-compatible server, read as the bytes come: `doStream` of the AI SDK costs several times the
 * CPU per token (docs/adr/0007).
 */
export class OpenAiCompatibleClient implements ModelClient {
  private readonly server: ModelServer;
  private readonly model: string;

  constructor(server: ModelServer, model: string) {
    this.server = server;
    this.model = model;
  }

  async answer(request: ModelRequest, onPart: (part: ModelPart) => void): Promise<void> {
    const limit = request.maxOutputTokens;
    const asked = {
      model: this.model,
      messages: messagesOf(request),
      stream: true,
      stream_options: { include_usage: true },
      ...(request.temperature !== null && { temperature: request.temperature }),
      ...(request.stops.length > 0 && { stop: request.stops }),
      ...(limit !== null && { [limitName(this.server)]: limit }),
    };
    const body = await callModelServer(this.server, '/chat/completions', { signal: request.signal, body: asked });
    try {
      const { isCut } = await readCompletion(body, onPart, this.server.apiKey);
      if (isCut) throw new ModelFailure('output-limit', null);
    } catch (error) {
      throw toModelFailure(error, this.server);
    }
  }
}

/** OpenAI's newer models take the limit under another name only, which other servers do not know. */
function limitName({ baseUrl }: Pick<ModelServer, 'baseUrl'>): 'max_completion_tokens' | 'max_tokens' {
  const { hostname } = new URL(baseUrl);
  const isOpenAi = hostname === 'api.openai.com' || hostname.endsWith('.openai.azure.com');
  return isOpenAi ? 'max_completion_tokens' : 'max_tokens';
}
