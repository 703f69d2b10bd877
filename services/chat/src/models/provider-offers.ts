import { Injectable } from '@nestjs/common';
import type { ProviderOffer } from '@parley/contracts';
import { ChatSettings } from '../chat.config.ts';
import { fetchModels } from './model-list.ts';
import { Outbound } from './outbound.ts';

const lookMs = 700;
const kind = 'openai-compatible';
const names: Record<ProviderOffer['source'], string> = {
  ollama: 'Ollama',
  'lm-studio': 'LM Studio',
  vllm: 'vLLM',
  'llama-cpp': 'llama.cpp',
  environment: 'OpenAI',
};

/** Model servers of this machine at their usual ports, and the key in the environment. */
@Injectable()
export class ProviderOffers {
  constructor(
    private readonly settings: ChatSettings,
    private readonly outbound: Outbound,
  ) {}

  async list(): Promise<ProviderOffer[]> {
    const local = Object.entries(this.settings.modelServerPorts) as [
      Exclude<ProviderOffer['source'], 'environment'>,
      number,
    ][];
    const found = await Promise.all([
      ...local.map(([source, port]) => this.lookAt(source, port)),
      this.fromEnvironment(),
    ]);
    return found.filter((offer) => offer !== null);
  }

  /** The key that goes with the environment's offer. */
  get environmentKey(): string | null {
    return this.settings.openAi?.apiKey ?? null;
  }

  private async fromEnvironment(): Promise<ProviderOffer | null> {
    const openAi = this.settings.openAi;
    if (!openAi) return null;
    const models = await fetchModels({ kind, ...openAi, outbound: this.outbound.client }, 3_000).catch(() => []);
    return { source: 'environment', name: names.environment, baseUrl: openAi.baseUrl, models };
  }

  private async lookAt(
    source: Exclude<ProviderOffer['source'], 'environment'>,
    port: number,
  ): Promise<ProviderOffer | null> {
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    try {
      return {
        source,
        name: names[source],
        baseUrl,
        models: await fetchModels({ kind, baseUrl, apiKey: null, outbound: this.outbound.local }, lookMs),
      };
    } catch {
      return null;
    }
  }
}
