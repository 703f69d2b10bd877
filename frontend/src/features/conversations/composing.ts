import { useQuery } from '@tanstack/react-query';
import type { ConversationId, Message, Model, ModelKey } from '@parley/contracts';
import { useCallback, useState } from 'react';
import { api } from '../../lib/http.ts';
import { newId } from '../../lib/new-id.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { readStored, writeStored } from '../../lib/stored.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { usePendingSends } from './pending-sends-context.tsx';
import type { PendingSend } from './pending-sends.ts';

/** The unsent text of a conversation; it survives a reload and a crash of the page. */
export function useDraft(conversationId: ConversationId | null): readonly [string, (text: string) => void] {
  const { me, organisation } = useTab();
  const key = `parley.draft.${me.id}.${organisation.id}.${conversationId ?? 'new'}`;
  const [text, setText] = useState(() => readStored<string>('local', key) ?? '');
  const change = useCallback(
    (next: string) => {
      setText(next);
      writeStored('local', key, next === '' ? null : next);
    },
    [key],
  );
  return [text, change];
}

/** The picked model, else the one of the last answer, else the one used last, else the organisation's default. */
export function useModel(lastAnswer: Message | null) {
  const { me, organisation } = useTab();
  const query = useQuery({
    queryKey: resourceKey('models', organisation.id),
    queryFn: ({ signal }) => api('GET /api/chat/models', { orgId: organisation.id, signal }),
    staleTime: 60_000,
  });
  const key = `parley.model.${me.id}.${organisation.id}`;
  const [picked, setPicked] = useState<ModelKey | null>(null);
  const models = query.data?.items ?? [];
  const offered = (wanted: ModelKey | null | undefined) => models.find((model) => model.key === wanted);
  const model: Model | null =
    offered(picked) ??
    offered(lastAnswer?.generation?.model.key) ??
    offered(readStored<ModelKey>('local', key)) ??
    models.find((candidate) => candidate.isDefault) ??
    models[0] ??
    null;
  const pick = (next: ModelKey) => {
    setPicked(next);
    writeStored('local', key, next);
  };
  return { query, models, model, pick };
}

/** Takes a question into the store of unacknowledged ones, which sends it. All ids are made here. */
export function useAsk() {
  const sends = usePendingSends();
  return (conversationId: ConversationId, text: string, model: Model | null): PendingSend => {
    const send: PendingSend = {
      conversationId,
      messageId: newId('message'),
      answerId: newId('message'),
      generationId: newId('generation'),
      text: text.trim(),
      ...(model ? { model: model.key } : {}),
      createdAt: new Date().toISOString(),
    };
    sends.add(send);
    return send;
  };
}
