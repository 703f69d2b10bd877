import type { Provider, ProviderId } from '@parley/contracts';
import type { Call } from '../../lib/http.ts';

/** What the panel edits. An empty key field keeps the stored key; `isKeyRemoved` erases it. */
export type ProviderDraft = {
  name: string;
  baseUrl: string;
  apiKey: string;
  isKeyRemoved: boolean;
  /** Everything known to exist there, chosen or not. */
  known: readonly string[];
  models: readonly string[];
  defaultModel: string;
  isDefault: boolean;
};

export const draftOf = (provider: Provider | null): ProviderDraft => ({
  name: provider?.name ?? '',
  baseUrl: provider?.baseUrl ?? '',
  apiKey: '',
  isKeyRemoved: false,
  known: provider?.models ?? [],
  models: provider?.models ?? [],
  defaultModel: provider?.defaultModel ?? '',
  isDefault: provider?.isDefault ?? true,
});

/** The fetched list; what was chosen stays, a new provider starts with all of them up to a handful. */
export function withModels(draft: ProviderDraft, listed: readonly string[]): ProviderDraft {
  const known = [...new Set([...listed, ...draft.models])];
  const models = draft.models.length > 0 ? draft.models : listed.slice(0, 8);
  return {
    ...draft,
    known,
    models,
    defaultModel: models.includes(draft.defaultModel) ? draft.defaultModel : (models[0] ?? ''),
  };
}

export function toggleModel(draft: ProviderDraft, model: string): ProviderDraft {
  const models = draft.models.includes(model)
    ? draft.models.filter((name) => name !== model)
    : draft.known.filter((name) => name === model || draft.models.includes(name));
  return {
    ...draft,
    models,
    defaultModel: models.includes(draft.defaultModel) ? draft.defaultModel : (models[0] ?? ''),
  };
}

export function isAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text.trim()).protocol);
  } catch {
    return false;
  }
}

const fieldsOf = (draft: ProviderDraft) => ({
  name: draft.name.trim(),
  baseUrl: draft.baseUrl.trim(),
  models: [...draft.models],
  defaultModel: draft.defaultModel,
  isDefault: draft.isDefault,
});

export function createBody(draft: ProviderDraft, id: ProviderId): Call<'POST /api/chat/providers'>['body'] {
  return { id, ...fieldsOf(draft), ...(draft.apiKey.trim() ? { apiKey: draft.apiKey.trim() } : {}) };
}

export function updateBody(
  draft: ProviderDraft,
  version: number,
): Call<'PATCH /api/chat/providers/:providerId'>['body'] {
  const apiKey = draft.isKeyRemoved ? { apiKey: null } : draft.apiKey.trim() ? { apiKey: draft.apiKey.trim() } : {};
  return { version, ...fieldsOf(draft), ...apiKey };
}

export function testBody(
  draft: ProviderDraft,
  provider: Provider | null,
): Call<'POST /api/chat/providers/test'>['body'] {
  const key = draft.apiKey.trim();
  return {
    baseUrl: draft.baseUrl.trim(),
    ...(key ? { apiKey: key } : {}),
    ...(provider && !draft.isKeyRemoved ? { providerId: provider.id } : {}),
    ...(draft.defaultModel ? { model: draft.defaultModel } : {}),
  };
}
