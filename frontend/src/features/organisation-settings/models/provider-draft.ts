import type { ModelContext, ModelImages, Provider, ProviderId, ProviderKind } from '@parley/contracts';
import { isChatModel } from '@parley/contracts/chat-model-names';
import type { Call } from '../../../lib/http.ts';

/** What the panel edits. An empty key field keeps the stored key; `isKeyRemoved` erases it. */
export type ProviderDraft = {
  kind: ProviderKind;
  name: string;
  baseUrl: string;
  apiKey: string;
  isKeyRemoved: boolean;
  /** Everything known to exist there, chosen or not. */
  known: readonly string[];
  models: readonly string[];
  /** A name that was typed, but not added yet: it counts when the form is sent. */
  typedModel: string;
  defaultModel: string;
  isDefault: boolean;
  thinks: boolean;
  /** Empty: none. */
  embeddingModel: string;
  /** By model, as typed; empty or absent if unknown. */
  contexts: Readonly<Record<string, string>>;
  /** By model, whether it accepts images; empty or absent if unknown. */
  images: Readonly<Record<string, ModelImages['accepts'] | ''>>;
};

/** The address of each kind; empty where there is no single public one. */
const addresses: Record<ProviderKind, string> = {
  'openai-compatible': '',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
};

/** A new provider becomes the default where there is none; it takes nobody's place by itself. */
export const draftOf = (provider: Provider | null, hasDefault: boolean): ProviderDraft => ({
  kind: provider?.kind ?? 'openai-compatible',
  name: provider?.name ?? '',
  baseUrl: provider?.baseUrl ?? '',
  apiKey: '',
  isKeyRemoved: false,
  known: provider?.models ?? [],
  models: provider?.models ?? [],
  typedModel: '',
  defaultModel: provider?.defaultModel ?? '',
  isDefault: provider?.isDefault ?? !hasDefault,
  thinks: provider?.thinks ?? false,
  embeddingModel: provider?.embeddingModel ?? '',
  contexts: typed(provider?.contexts ?? []),
  images: accepted(provider?.images ?? []),
});

/** Another kind has another address and other models; an address that somebody has typed stays. */
export function withKind(draft: ProviderDraft, kind: ProviderKind): ProviderDraft {
  const isTyped = draft.baseUrl.trim() !== '' && draft.baseUrl !== addresses[draft.kind];
  return {
    ...draft,
    kind,
    baseUrl: isTyped ? draft.baseUrl : addresses[kind],
    known: [],
    models: [],
    defaultModel: '',
    thinks: kind !== 'openai-compatible' && draft.thinks,
    embeddingModel: '',
    contexts: {},
    images: {},
  };
}

const typed = (contexts: readonly ModelContext[]): ProviderDraft['contexts'] =>
  Object.fromEntries(contexts.map(({ model, tokens }) => [model, String(tokens)]));

const accepted = (images: readonly ModelImages[]): ProviderDraft['images'] =>
  Object.fromEntries(images.map(({ model, accepts }) => [model, accepts]));

/** Whether it is a valid context length, or empty. */
export const isContext = (text: string): boolean => /^(|[1-9]\d{3,6}|1\d{7}|20000000)$/.test(text.trim());

type Listed = {
  readonly models: readonly string[];
  readonly contexts?: readonly ModelContext[] | undefined;
  readonly images?: readonly ModelImages[] | undefined;
};

/**
 * The fetched list; what was chosen stays, a new provider starts with all that chat. What the list says of a context or
 * of images, or the test has found, replaces what was entered.
 */
export function withModels(
  draft: ProviderDraft,
  { models: listed, contexts = [], images = [] }: Listed,
): ProviderDraft {
  const known = [...new Set([...listed, ...draft.models])];
  const models = draft.models.length > 0 ? draft.models : listed.filter(isChatModel);
  return {
    ...withChosen({ ...draft, known }, models),
    contexts: { ...draft.contexts, ...typed(contexts) },
    images: { ...draft.images, ...accepted(images) },
  };
}

export function toggleModel(draft: ProviderDraft, model: string): ProviderDraft {
  const models = draft.models.includes(model)
    ? draft.models.filter((name) => name !== model)
    : draft.known.filter((name) => name === model || draft.models.includes(name));
  return withChosen(draft, models);
}

/** Exactly these; the default one stays if it is among them. */
export const withChosen = (draft: ProviderDraft, models: readonly string[]): ProviderDraft => ({
  ...draft,
  models,
  defaultModel: models.includes(draft.defaultModel) ? draft.defaultModel : (models[0] ?? ''),
});

export const isModelName = (text: string): boolean => /^\S{1,200}$/.test(text.trim());

/** Adds the name that was typed, if it is one. */
export function addTypedModel(draft: ProviderDraft): ProviderDraft {
  const name = draft.typedModel.trim();
  if (!isModelName(name)) return draft;
  const known = draft.known.includes(name) ? draft.known : [...draft.known, name];
  const added = { ...draft, typedModel: '', known };
  return draft.models.includes(name) ? added : toggleModel(added, name);
}

/** With its port, if it names one. */
export function hostOf(address: string): string | null {
  try {
    return new URL(address.trim()).host;
  } catch {
    return null;
  }
}

export function isAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text.trim()).protocol);
  } catch {
    return false;
  }
}

function fieldsOf(draft: ProviderDraft) {
  const { name, baseUrl, models, defaultModel, isDefault, thinks, contexts, images } = addTypedModel(draft);
  const embeddingModel = draft.embeddingModel.trim() || null;
  const written = { name: name.trim(), baseUrl: baseUrl.trim(), models: [...models] };
  const known = models.flatMap((model) => {
    const text = (contexts[model] ?? '').trim();
    return text === '' ? [] : [{ model, tokens: Number(text) }];
  });
  const seen = models.flatMap((model) => {
    const accepts = images[model] || null;
    return accepts === null ? [] : [{ model, accepts }];
  });
  return { ...written, defaultModel, isDefault, thinks, embeddingModel, contexts: known, images: seen };
}

export function createBody(draft: ProviderDraft, id: ProviderId): Call<'POST /api/chat/providers'>['body'] {
  return { id, kind: draft.kind, ...fieldsOf(draft), ...(draft.apiKey.trim() ? { apiKey: draft.apiKey.trim() } : {}) };
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
    kind: draft.kind,
    thinks: draft.thinks,
    baseUrl: draft.baseUrl.trim(),
    ...(key ? { apiKey: key } : {}),
    ...(provider && !draft.isKeyRemoved ? { providerId: provider.id } : {}),
    ...(draft.defaultModel ? { model: draft.defaultModel } : {}),
  };
}
