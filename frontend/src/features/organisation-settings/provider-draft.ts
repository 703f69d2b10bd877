import type { BodyOf, Provider, ProviderId, createProvider, testProvider, updateProvider } from '@parley/contracts';

/** What the panel edits. An empty key field keeps the stored key; `isKeyRemoved` erases it. */
export type ProviderDraft = {
  name: string;
  baseUrl: string;
  apiKey: string;
  isKeyRemoved: boolean;
  /** Everything known to exist there, chosen or not. */
  known: readonly string[];
  chosen: readonly string[];
  defaultModel: string;
  isDefault: boolean;
};

export const draftOf = (provider: Provider | null): ProviderDraft => ({
  name: provider?.name ?? '',
  baseUrl: provider?.baseUrl ?? '',
  apiKey: '',
  isKeyRemoved: false,
  known: provider?.models ?? [],
  chosen: provider?.models ?? [],
  defaultModel: provider?.defaultModel ?? '',
  isDefault: provider?.isDefault ?? true,
});

/** The fetched list; what was chosen stays, a new provider starts with all of them up to a handful. */
export function withModels(draft: ProviderDraft, models: readonly string[]): ProviderDraft {
  const known = [...new Set([...models, ...draft.chosen])];
  const chosen = draft.chosen.length > 0 ? draft.chosen : models.slice(0, 8);
  return {
    ...draft,
    known,
    chosen,
    defaultModel: chosen.includes(draft.defaultModel) ? draft.defaultModel : (chosen[0] ?? ''),
  };
}

export function toggleModel(draft: ProviderDraft, model: string): ProviderDraft {
  const chosen = draft.chosen.includes(model)
    ? draft.chosen.filter((name) => name !== model)
    : draft.known.filter((name) => name === model || draft.chosen.includes(name));
  return {
    ...draft,
    chosen,
    defaultModel: chosen.includes(draft.defaultModel) ? draft.defaultModel : (chosen[0] ?? ''),
  };
}

export type DraftFault = 'name' | 'baseUrl' | 'models';

export function faultsOf(draft: ProviderDraft): DraftFault[] {
  const faults: DraftFault[] = [];
  if (draft.name.trim() === '') faults.push('name');
  if (!isAddress(draft.baseUrl)) faults.push('baseUrl');
  if (draft.chosen.length === 0 || draft.defaultModel === '') faults.push('models');
  return faults;
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
  models: [...draft.chosen],
  defaultModel: draft.defaultModel,
  isDefault: draft.isDefault,
});

export function createBody(draft: ProviderDraft, id: ProviderId): BodyOf<typeof createProvider> {
  return { id, ...fieldsOf(draft), ...(draft.apiKey.trim() ? { apiKey: draft.apiKey.trim() } : {}) };
}

export function updateBody(draft: ProviderDraft, version: number): BodyOf<typeof updateProvider> {
  const apiKey = draft.isKeyRemoved ? { apiKey: null } : draft.apiKey.trim() ? { apiKey: draft.apiKey.trim() } : {};
  return { version, ...fieldsOf(draft), ...apiKey };
}

export function testBody(draft: ProviderDraft, provider: Provider | null): BodyOf<typeof testProvider> {
  const key = draft.apiKey.trim();
  return {
    baseUrl: draft.baseUrl.trim(),
    ...(key ? { apiKey: key } : {}),
    ...(provider && !draft.isKeyRemoved ? { providerId: provider.id } : {}),
    ...(draft.defaultModel ? { model: draft.defaultModel } : {}),
  };
}
