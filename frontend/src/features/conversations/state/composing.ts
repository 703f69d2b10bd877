import type { AskedFile, ConversationId, MessageFile, MessageId, ProjectId } from '@parley/contracts';
import { useCallback, useSyncExternalStore } from 'react';
import { newId } from '../../../lib/new-id.ts';
import { answererOf, type Answerer } from './answerer.ts';
import type { Where } from './drafts.ts';
import { useDrafts } from './drafts-context.tsx';
import { usePendingSends } from './pending-sends-context.tsx';
import type { PendingSend } from './pending-sends.ts';

/**
 * The unsent text of a conversation, or of a new one; it survives a reload and a crash of the page. With `sent` it was
 * taken by that question.
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

/** Files of a question, and how they are shown until the server has told. */
export type QuestionFiles = { readonly asked: readonly AskedFile[]; readonly attached: readonly MessageFile[] };

/** Puts what was not asked back into the draft; what it returns takes it out again, unless it was changed there. */
export type GiveBack = (text: string, files?: readonly AskedFile[]) => () => void;

type Asked = {
  readonly text: string;
  readonly answerer: Answerer;
  readonly files?: QuestionFiles | undefined;
  /** What it follows; null: nothing. Absent in a chat that is not there yet. */
  readonly parentId?: MessageId | null;
  /** Asked in its turn only. */
  readonly isQueued?: boolean;
  /** Names the project of the chat that it begins. */
  readonly projectId?: ProjectId | undefined;
};

/** Takes a question into the store of unacknowledged ones, which sends it. All ids are made here. */
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
