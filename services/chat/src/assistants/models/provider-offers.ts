import { Injectable } from '@nestjs/common';
import { isChatModel, type ModelContext, type ModelImages, type ProviderOffer } from '@parley/contracts';
import { ChatSettings } from '../../chat.config.ts';
import { contextsIn, fetchModels, imagesIn, type ListedModel } from './model-list.ts';
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

type Found = { readonly offer: ProviderOffer; readonly contexts: ModelContext[]; readonly images: ModelImages[] };

/** Model servers of this machine at their usual ports, and the key in the environment. */
@Injectable()
export class ProviderOffers {
  constructor(
    private readonly settings: ChatSettings,
    private readonly outbound: Outbound,
  ) {}

  async list(): Promise<ProviderOffer[]> {
    return (await this.find()).map(({ offer }) => offer);
  }

  /** Each offer with what its list says of the models. */
  async find(): Promise<Found[]> {
    const local = Object.entries(this.settings.modelServerPorts) as [
      Exclude<ProviderOffer['source'], 'environment'>,
      number,
    ][];
    const found = await Promise.all([
      ...local.map(([source, port]) => this.lookAt(source, port)),
      this.fromEnvironment(),
    ]);
    return found.filter((one) => one !== null);
  }

  /** The key that goes with the environment's offer. */
  get environmentKey(): string | null {
    return this.settings.openAi?.apiKey ?? null;
  }

  private async fromEnvironment(): Promise<Found | null> {
    const openAi = this.settings.openAi;
    if (!openAi) return null;
    const listed = await fetchModels({ kind, ...openAi, outbound: this.outbound.client }, 3_000).catch(() => []);
    return foundAt('environment', openAi.baseUrl, listed);
  }

  private async lookAt(source: Exclude<ProviderOffer['source'], 'environment'>, port: number): Promise<Found | null> {
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    try {
      const server = { kind, baseUrl, apiKey: null, outbound: this.outbound.local } as const;
      return foundAt(source, baseUrl, await fetchModels(server, lookMs));
    } catch {
      return null;
    }
  }
}

/** Leaves out models that don't chat: members would pick them, and the first of the list becomes the default. */
function foundAt(source: ProviderOffer['source'], baseUrl: string, all: readonly ListedModel[]): Found {
  const listed = all.filter(({ name }) => isChatModel(name));
  return {
    offer: { source, name: names[source], baseUrl, models: listed.map(({ name }) => name) },
    contexts: contextsIn(listed),
    images: imagesIn(listed),
  };
}
