import { readCompletion } from './completion-events.ts';
import type { ModelClient, ModelPart, ModelRequest } from './model-client.ts';
import { callModelServer, type ModelServer } from './model-server.ts';
import { recentTurns, systemPrompt, turnsToContinue } from './prompt.ts';
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
    const asked = {
      model: this.model,
      messages: messagesOf(request),
      stream: true,
      stream_options: { include_usage: true },
    };
    const body = await callModelServer(this.server, '/chat/completions', { signal: request.signal, body: asked });
    try {
      await readCompletion(body, onPart, this.server.apiKey);
    } catch (error) {
      throw toModelFailure(error, this.server);
    }
  }
}

function messagesOf(request: ModelRequest): { role: string; content: string }[] {
  const turns = [...recentTurns(request.turns), ...turnsToContinue(request)].map(({ role, text }) => ({
    role: role === 'person' ? 'user' : 'assistant',
    content: text,
  }));
  return [{ role: 'system', content: systemPrompt(request) }, ...turns];
}
