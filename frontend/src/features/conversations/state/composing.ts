import type { AskedFile, ConversationId, MessageFile, MessageId, ProjectId } from '@parley/contracts';
import { useCallback, useSyncExternalStore } from 'react';
import { newId } from '../../../lib/new-id.ts';
import { answererOf, type Answerer } from './answerer.ts';
import type { Where } from './drafts.ts';
import { useDrafts } from './drafts-context.tsx';
import { usePendingSends } from './pending-sends-context.tsx';
import type { PendingSend } from './pending-sends.ts';

/**
 * Returns the unsent text of a conversation or of a new chat, which survives a reload and a crash of the page. `sent`:
 * the question that took the text.
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

/** Files of a question, and how to show them until the server has reported them. */
export type QuestionFiles = { readonly asked: readonly AskedFile[]; readonly attached: readonly MessageFile[] };

/**
 * Puts text and files of a question that wasn't asked into the draft again. The returned function removes them, unless
 * the draft has changed.
 */
export type GiveBack = (text: string, files?: readonly AskedFile[]) => () => void;

type Asked = {
  readonly text: string;
  readonly answerer: Answerer;
  readonly files?: QuestionFiles | undefined;
  /** The message that the question follows; null: the start of the chat. Missing in a chat that doesn't exist yet. */
  readonly parentId?: MessageId | null;
  /** True if the question waits in the queue for its turn. */
  readonly isQueued?: boolean;
  /** The project of a new chat that the question begins. */
  readonly projectId?: ProjectId | undefined;
};

/**
 * Returns a function that adds a question to the unacknowledged ones, which are sent to the server. This page makes all
 * ids.
 */
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
