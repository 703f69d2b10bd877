import type { AskedFile, ConversationId, MessageFile, MessageId, ProjectId } from '@parley/contracts';
import { useCallback, useSyncExternalStore } from 'react';
import { newId } from '../../../lib/new-id.ts';
import { answererOf, type Answerer } from './answerer.ts';
import type { Where } from './drafts.ts';
import { useDrafts } from './drafts-context.tsx';
import { usePendingSends } from './pending-sends-context.tsx';
import type { PendingSend } from './pending-sends.ts';

/**
 * Returns the unsent text of a conversation, or of a new one; it survives a reload and a crash of the page. `sent`: the
 * question that took it.
 */
export function useDraft(where: Where) {
  const drafts = useDrafts();
  const text = useSyncExternalStore(drafts.watch, () => drafts.read(where).text);
  const change = useCallback(
    (next: string, sent?: PendingSend) => (sent ? drafts.send(where, sent.messageId) : drafts.type(where, next)),
    [drafts, where],
  );
  return [text, change] as const;
}

/** Files of a question, and how they look until the server has reported them. */
export type QuestionFiles = { readonly asked: readonly AskedFile[]; readonly attached: readonly MessageFile[] };

/** Puts what was not asked back into the draft. The returned function removes it again, unless it was changed there. */
export type GiveBack = (text: string, files?: readonly AskedFile[]) => () => void;

type Asked = {
  readonly text: string;
  readonly answerer: Answerer;
  readonly files?: QuestionFiles | undefined;
  /** What it follows; null: nothing. Missing in a chat that doesn't exist yet. */
  readonly parentId?: MessageId | null;
  /** Asked only on its turn. */
  readonly isQueued?: boolean;
  /** The project of the chat that it begins. */
  readonly projectId?: ProjectId | undefined;
};

/** Adds a question to the unacknowledged ones, which sends it. All ids are made here. */
export function useAsk() {
  const sends = usePendingSends();
  return (
    conversationId: ConversationId,
    { text, files, parentId, isQueued, projectId, answerer }: Asked,
  ): PendingSend => {
    const send: PendingSend = {
      conversationId,
      messageId: newId('message'),
      answerId: newId('message'),
      generationId: newId('generation'),
      text: text.trim(),
      ...(files && files.asked.length > 0 && { files: [...files.asked], attached: files.attached }),
      ...(parentId === undefined ? {} : { parentId }),
      ...answererOf(answerer),
      ...(isQueued && { isQueued }),
      ...(projectId && { projectId }),
      createdAt: new Date().toISOString(),
    };
    sends.add(send);
    return send;
  };
}
