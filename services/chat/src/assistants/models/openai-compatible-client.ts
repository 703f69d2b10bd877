import { readCompletion } from './completion-events.ts';
import { ModelFailure, type ModelClient, type ModelRequest, type OnPart } from './model-client.ts';
import { base64Of, loadImages, type LoadedMessage } from './images.ts';
import { callModelServer, type ModelServer } from './model-server.ts';
import { messagesOf } from './prompt.ts';
import { toModelFailure } from './to-model-failure.ts';
import type { Readable } from 'node:stream';

/**
 * Answers from an OpenAI-compatible server, read as the bytes come: `doStream` of the AI SDK costs several times the
 * CPU per token (docs/adr/0007).
 */
export class OpenAiCompatibleClient implements ModelClient {
  constructor(
    private readonly server: ModelServer,
    private readonly model: string,
  ) {}

  async answer(request: ModelRequest, onPart: OnPart): Promise<void> {
    const body = await this.ask(request);
    try {
      const { isCut } = await readCompletion(body, onPart, this.server.apiKey);
      if (isCut) throw new ModelFailure('output-limit', null);
    } catch (error) {
      throw toModelFailure(error, this.server);
    }
  }

  /** What is sent, images above all, is let go before the answer comes. */
  private async ask(request: ModelRequest): Promise<Readable> {
    const limit = request.maxOutputTokens;
    const asked = {
      model: this.model,
      messages: (await loadImages(messagesOf(request))).map(messageOf),
      stream: true,
      stream_options: { include_usage: true },
      ...(request.temperature !== null && { temperature: request.temperature }),
      ...(request.stops.length > 0 && { stop: request.stops }),
      ...(limit !== null && { [limitName(this.server)]: limit }),
    };
    return callModelServer(this.server, '/chat/completions', { signal: request.signal, body: asked });
  }
}

/** Not all servers know parts: what has no image is sent as text. */
const messageOf = ({ role, content, images }: LoadedMessage) => ({
  role,
  content:
    images.length === 0
      ? content
      : [
          ...images.map((image) => ({
            type: 'image_url',
            image_url: { url: `data:${image.mediaType};base64,${base64Of(image)}` },
          })),
          ...(content === '' ? [] : [{ type: 'text', text: content }]),
        ],
});

/** OpenAI's newer models take the limit under another name only, which other servers do not know. */
function limitName({ baseUrl }: Pick<ModelServer, 'baseUrl'>): 'max_completion_tokens' | 'max_tokens' {
  const { hostname } = new URL(baseUrl);
  const isOpenAi = hostname === 'api.openai.com' || hostname.endsWith('.openai.azure.com');
  return isOpenAi ? 'max_completion_tokens' : 'max_tokens';
}
