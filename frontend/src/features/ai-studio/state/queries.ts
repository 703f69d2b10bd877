import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChatbotContent, ChatbotId, ChatbotVersion, Connection, Model, ModelKey } from '@parley/contracts';
import { useModelLabel, useModelName } from '../../../domain/model/model-name.ts';
import { useModels } from '../../../domain/model/use-models.ts';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';

export function useDrafts() {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('chatbot-drafts', orgId, 'list'),
    queryFn: ({ signal }) => api('GET /api/chat/chatbot-drafts', { orgId, signal }),
  });
}

export function useDraft(chatbotId: ChatbotId) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('chatbot-drafts', orgId, chatbotId),
    queryFn: ({ signal }) => api('GET /api/chat/chatbot-drafts/:chatbotId', { orgId, params: { chatbotId }, signal }),
  });
}

const mostVersions = 100;

/** The newest ones; the default chatbot has a first one, version 0, that nobody has published. */
export function useVersions(chatbotId: ChatbotId) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('chatbot-drafts', orgId, chatbotId, 'versions'),
    queryFn: ({ signal }) =>
      api('GET /api/chat/chatbot-drafts/:chatbotId/versions', {
        orgId,
        params: { chatbotId },
        query: { limit: mostVersions },
        signal,
      }),
  });
}

export function useTests(chatbotId: ChatbotId) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('tests', orgId, chatbotId),
    queryFn: ({ signal }) =>
      api('GET /api/chat/chatbot-drafts/:chatbotId/tests', { orgId, params: { chatbotId }, signal }),
  });
}

const noModels: readonly Model[] = [];

/** The models that are offered now, by the names that people know. */
export function useOfferedModels() {
  const { data } = useModels();
  const labelOf = useModelLabel();
  const nameOf = useModelName();
  const models = data?.items ?? noModels;
  return {
    models,
    isLoaded: data !== undefined,
    labelOf,
    /** One that is not offered any more stands there by its key. */
    nameOf: (key: ModelKey) => {
      const model = models.find((one) => one.key === key);
      return model ? labelOf(model) : nameOf(key);
    },
  };
}

const noConnections: readonly Connection[] = [];

/** The data connections that one may see. */
export function useConnections() {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const { data, error, isLoading } = useQuery({
    queryKey: resourceKey('connections', orgId, 'studio'),
    queryFn: ({ signal }) => api('GET /api/chat/connections', { orgId, signal }),
    enabled: useRight('data_connection:read'),
  });
  return {
    connections: data?.items ?? noConnections,
    isLoading,
    error: data ? null : error,
    nameOf: ({ name }: Connection) => name || t({ id: 'studio.knowledge.uploads', defaultMessage: 'Uploads' }),
  };
}

/** Makes a chatbot of a content; its id is made once, so that trying again makes no second one. */
export function useCreate(onMade: (id: ChatbotId) => void) {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  return useMutation({
    mutationFn: (content: ChatbotContent) =>
      api('POST /api/chat/chatbot-drafts', { orgId, body: { id: newId('chatbot'), content }, retries: 2 }),
    onSuccess: (draft) => {
      client.setQueryData(resourceKey('chatbot-drafts', orgId, draft.id), draft);
      void client.invalidateQueries({ queryKey: resourceKey('chatbot-drafts', orgId, 'list') });
      onMade(draft.id);
    },
  });
}

export function useDelete() {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  return useMutation({
    mutationFn: (chatbotId: ChatbotId) =>
      api('DELETE /api/chat/chatbot-drafts/:chatbotId', { orgId, params: { chatbotId }, retries: 2 }),
    onSuccess: () => client.invalidateQueries({ queryKey: resourceKey('chatbot-drafts', orgId) }),
  });
}

export type PublishWish = { readonly chatbotId: ChatbotId; readonly revision: number; readonly note: string };

export function usePublish() {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  return useMutation({
    mutationFn: ({ chatbotId, ...body }: PublishWish) =>
      api('POST /api/chat/chatbot-drafts/:chatbotId/publish', { orgId, params: { chatbotId }, body }),
    onSuccess: (draft) => {
      client.setQueryData(resourceKey('chatbot-drafts', orgId, draft.id), draft);
      void client.invalidateQueries({ queryKey: resourceKey('chatbot-drafts', orgId) });
      void client.invalidateQueries({ queryKey: resourceKey('tests', orgId) });
    },
  });
}

export const nextNumber = (published: Pick<ChatbotVersion, 'version'> | null): number => (published?.version ?? 0) + 1;
