import { assumedContextTokens, type Model, type ModelKey, type Provider, type ProviderId } from '@parley/contracts';
import type { ProviderRow } from './provider.collection.ts';

/** Which model of which server is asked. */
export type Upstream = { readonly host: string; readonly model: string };

export const builtInModel: Model = {
  key: 'builtin' as ModelKey,
  label: 'Built-in assistant',
  providerName: null,
  isDefault: true,
  context: null,
  images: null,
};

export const modelKeyOf = (providerId: ProviderId, model: string): ModelKey => `${providerId}/${model}` as ModelKey;

/** Null for the built-in assistant. */
export function splitModelKey(key: ModelKey): { providerId: ProviderId; model: string } | null {
  if (key === builtInModel.key) return null;
  const slash = key.indexOf('/');
  return { providerId: key.slice(0, slash) as ProviderId, model: key.slice(slash + 1) };
}

/** From its server's list or an admin, else assumed. */
export function contextOf(
  { contexts = [] }: Pick<ProviderRow, 'contexts'>,
  model: string,
): NonNullable<Model['context']> {
  const said = contexts.find((one) => one.model === model);
  return { tokens: said?.tokens ?? assumedContextTokens, isAssumed: said === undefined };
}

/** From its server's list, a test or an admin, else unknown. */
export function imagesOf({ images = [] }: Pick<ProviderRow, 'images'>, model: string): NonNullable<Model['images']> {
  const said = images.find((one) => one.model === model);
  return { accepts: said?.accepts ?? 'unknown' };
}

/** What the picker offers: the providers' models, the built-in assistant last once there is a provider. */
export function modelsOf(providers: readonly ProviderRow[]): Model[] {
  const chosen = providers.find((provider) => provider.isDefault) ?? providers[0];
  const offered = providers.flatMap((provider) =>
    provider.models.map((model): Model => ({
      key: modelKeyOf(provider._id, model),
      label: model,
      providerName: provider.name,
      isDefault: provider === chosen && model === provider.defaultModel,
      context: contextOf(provider, model),
      images: imagesOf(provider, model),
    })),
  );
  return [...offered, { ...builtInModel, isDefault: offered.length === 0 }];
}

/** A secret belongs to its host: with another one it must be given again. */
export function isSameHost(one: string, other: string): boolean {
  const [first, second] = [new URL(one), new URL(other)];
  return first.protocol === second.protocol && first.host === second.host;
}

/** The host of a provider, with its port unless that is the usual one. */
export const hostOf = ({ baseUrl }: Pick<ProviderRow, 'baseUrl'>): string => new URL(baseUrl).host;

/** What is told of a provider that somebody has configured. */
export const configurationOf = (provider: ProviderRow) => {
  const { name, models, kind, thinks, embeddingModel, contexts, images } = toProvider(provider);
  return { name, host: hostOf(provider), models, kind, thinks, embeddingModel, contexts, images };
};

export const keyHintOf = (apiKey: string): string => (apiKey.length >= 12 ? apiKey.slice(-4) : '');

/** The key itself never leaves. */
export function toProvider(row: ProviderRow): Provider {
  const { _id, kind, name, baseUrl, keyHint, models, defaultModel, isDefault, thinks } = row;
  const { embeddingModel, contexts = [], images = [], createdAt, version } = row;
  return {
    id: _id,
    kind: kind ?? 'openai-compatible',
    name,
    baseUrl,
    keyHint,
    models: [...models],
    defaultModel,
    isDefault,
    thinks: thinks ?? false,
    embeddingModel: embeddingModel ?? null,
    contexts: contexts.filter(({ model }) => models.includes(model)),
    images: images.filter(({ model }) => models.includes(model)),
    createdAt: createdAt.toISOString(),
    version,
  };
}
