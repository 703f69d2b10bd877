import type { ConversationId } from '@parley/contracts';
import { useCallback, useState } from 'react';
import { newId } from '../../lib/new-id.ts';
import { readStored, writeStored } from '../../lib/stored.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import type { Answerer } from './answerer.ts';
import { draftKey } from './drafts.ts';
import { usePendingSends } from './pending-sends-context.tsx';
import type { PendingSend } from './pending-sends.ts';

/** The unsent text of a conversation; it survives a reload and a crash of the page. */
export function useDraft(conversationId: ConversationId | null): readonly [string, (text: string) => void] {
  const { me, organisation } = useTab();
  const key = draftKey({ userId: me.id, orgId: organisation.id }, conversationId);
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

/** Takes a question into the store of unacknowledged ones, which sends it. All ids are made here. */
export function useAsk() {
  const sends = usePendingSends();
  return (conversationId: ConversationId, text: string, { chatbot, model }: Answerer): PendingSend => {
    const send: PendingSend = {
      conversationId,
      messageId: newId('message'),
      answerId: newId('message'),
      generationId: newId('generation'),
      text: text.trim(),
      ...(chatbot && !chatbot.isDefault ? { chatbotId: chatbot.id } : {}),
      ...(model && !chatbot?.model ? { model: model.key } : {}),
      createdAt: new Date().toISOString(),
    };
    sends.add(send);
    return send;
  };
}
