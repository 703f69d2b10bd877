import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ModelFailure, type ModelClient, type ModelPart, type ModelRequest } from './model-client.ts';
import { recentTurns, systemPrompt } from './prompt.ts';
import { toModelFailure } from './to-model-failure.ts';

export type Endpoint = { readonly baseUrl: string; readonly apiKey: string | null; readonly model: string; readonly fetch: typeof fetch };

/** Answers from an OpenAI-compatible endpoint, by the AI SDK's provider package with `doStream`: its `streamText` costs twice the CPU. */
export class OpenAiCompatibleClient implements ModelClient {
  private readonly endpoint: Endpoint;

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
  }

  async *stream(request: ModelRequest): AsyncIterable<ModelPart> {
    const { baseUrl, apiKey, model, fetch } = this.endpoint;
    const provider = createOpenAICompatible({ name: 'parley', baseURL: baseUrl, includeUsage: true, fetch, ...(apiKey === null ? {} : { apiKey }) });
    let hasFinished = false;
    try {
      const { stream } = await provider.chatModel(model).doStream({ prompt: promptOf(request), abortSignal: request.signal });
      for await (const part of stream) {
        if (part.type === 'text-delta') yield { kind: 'text', text: part.delta };
        else if (part.type === 'error') throw part.error;
        else if (part.type === 'finish') {
          hasFinished = part.finishReason.unified !== 'interrupted';
          const { inputTokens, outputTokens } = part.usage;
          if (inputTokens.total !== undefined && outputTokens.total !== undefined) yield { kind: 'usage', inputTokens: inputTokens.total, outputTokens: outputTokens.total };
        }
      }
    } catch (error) {
      throw toModelFailure(error);
    }
    if (!hasFinished) throw new ModelFailure('provider-cut', null);
  }
}

function promptOf(request: ModelRequest) {
  return [
    { role: 'system' as const, content: systemPrompt(request) },
    ...recentTurns(request.turns).map(({ role, text }) =>
      role === 'person' ? { role: 'user' as const, content: [{ type: 'text' as const, text }] } : { role: 'assistant' as const, content: [{ type: 'text' as const, text }] },
    ),
  ];
}
