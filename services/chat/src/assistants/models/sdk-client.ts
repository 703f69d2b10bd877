import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ProviderKind } from '@parley/contracts';
import { guardedFetch } from './guarded-fetch.ts';
import { loadImages, type LoadedImage, type LoadedMessage } from './images.ts';
import { ModelFailure, type ModelClient, type ModelRequest, type OnPart } from './model-client.ts';
import type { ModelServer } from './model-server.ts';
import { messagesOf } from './prompt.ts';
import { toModelFailure } from './to-model-failure.ts';
import { usagePart } from './usage-part.ts';

/** `thinks` asks it to think before it answers, and to tell what. */
export type AskedModel = { readonly model: string; readonly thinks: boolean };
type SdkKind = Exclude<ProviderKind, 'openai-compatible'>;
type SdkServer = ModelServer & { readonly kind: SdkKind };
type Options = Parameters<LanguageModelV4['doStream']>[0];
type Settings = { readonly baseURL: string; readonly apiKey: string; readonly fetch: typeof fetch };
type Sdk = {
  /** Loads the package when it is first needed. */
  readonly open: (settings: Settings, model: string) => Promise<LanguageModelV4>;
  /** Returns the options that have a model think and show it. `isHeld` is true under a hard limit. */
  readonly thinking: (isHeld: boolean) => Pick<Options, 'reasoning' | 'providerOptions'>;
};

/** Answers from Anthropic's and Google's servers, by the provider packages of the Vercel AI SDK (docs/adr/0007). */
export class SdkClient implements ModelClient {
  constructor(
    private readonly server: SdkServer,
    private readonly asked: AskedModel,
  ) {}

  async answer(request: ModelRequest, onPart: OnPart): Promise<void> {
    try {
      const model = await openModel(this.server, this.asked.model);
      const prompt = promptOf(await loadImages(messagesOf(request)));
      const { stream } = await model.doStream({ prompt, ...this.optionsFor(request) });
      const { isCut } = await readParts(stream, onPart);
      if (isCut) throw new ModelFailure('output-limit', null);
    } catch (error) {
      throw toModelFailure(error, this.server);
    }
  }

  private optionsFor(request: ModelRequest): Omit<Options, 'prompt'> {
    const { maxOutputTokens, temperature, stops, signal: abortSignal } = request;
    const isHeld = maxOutputTokens !== null;
    return {
      abortSignal,
      ...(isHeld && { maxOutputTokens }),
      ...(stops.length > 0 && { stopSequences: [...stops] }),
      ...(temperature !== null && { temperature }),
      ...(this.asked.thinks && sdks[this.server.kind].thinking(isHeld)),
    };
  }
}

/** The vendors' packages by kind of provider: a kind without an entry doesn't compile. */
const sdks: Record<SdkKind, Sdk> = {
  anthropic: {
    // oxlint-disable-next-line no-restricted-imports -- here it is needed for the first time
    open: async (settings, model) => (await import('@ai-sdk/anthropic')).createAnthropic(settings)(model),
    // Asks for no reasoning under a hard limit: the SDK would add its tokens to those that the budget holds.
    thinking: (isHeld) => (isHeld ? {} : { reasoning: 'low' }),
  },
  google: {
    // oxlint-disable-next-line no-restricted-imports -- as above
    open: async (settings, model) => (await import('@ai-sdk/google')).createGoogle(settings)(model),
    // Google's models always think; this has them show it.
    thinking: () => ({ providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } }),
  },
};

/**
 * Opens a model of a server. A server without a key is called without one: the packages would take one from the
 * environment, which is not this organisation's.
 */
function openModel({ kind, baseUrl, apiKey, outbound }: SdkServer, model: string): Promise<LanguageModelV4> {
  const settings = { baseURL: baseUrl.replace(/\/+$/, ''), apiKey: apiKey ?? '', fetch: guardedFetch(outbound) };
  return sdks[kind].open(settings, model);
}

/** A conversation begins with a person for both; an answer whose question was too long to come along is left out. */
function promptOf(messages: readonly LoadedMessage[]): LanguageModelV4Prompt {
  const first = messages.findIndex(({ role }) => role === 'user');
  return messages
    .filter(({ role }, at) => role === 'system' || at >= first)
    .map(({ role, content, images }) => {
      if (role === 'system') return { role, content };
      const said = content === '' && images.length > 0 ? [] : [{ type: 'text' as const, text: content }];
      return role === 'assistant' ? { role, content: said } : { role, content: [...images.map(partOf), ...said] };
    });
}

const partOf = ({ bytes, mediaType }: LoadedImage) => ({
  type: 'file' as const,
  mediaType,
  data: { type: 'data' as const, data: bytes },
});

/** Rejects when the stream ends without saying why: it was cut. */
async function readParts(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  onPart: OnPart,
): Promise<{ readonly isCut: boolean }> {
  let reason: string | null = null;
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta' && part.delta !== '') await onPart({ kind: 'text', text: part.delta });
    if (part.type === 'reasoning-delta' && part.delta !== '') await onPart({ kind: 'reasoning', text: part.delta });
    if (part.type !== 'finish') continue;
    reason = part.finishReason.unified;
    const { inputTokens, outputTokens } = part.usage;
    const usage = usagePart(inputTokens.total, outputTokens.total, inputTokens.cacheRead);
    if (usage) await onPart(usage);
  }
  if (reason === null || reason === 'interrupted') throw new ModelFailure('provider-cut', null);
  if (reason === 'error') throw new ModelFailure('provider-error', 'The model ended its answer with an error.');
  return { isCut: reason === 'length' };
}
