import { useQueryClient } from '@tanstack/react-query';
import type { ConversationId, Message, QuestionQueue } from '@parley/contracts';
import { useMemo } from 'react';
import { isAnswering } from '../../../domain/conversation/conversation-stream-state.ts';
import type { Path } from '../../../domain/conversation/conversation-path.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import type { Answerer } from './answerer.ts';
import { useAsk, type QuestionFiles } from './composing.ts';
import type { useConversationStream } from './conversation-stream.ts';
import type { PendingSend } from './pending-sends.ts';
import { endOf, hasToWait, useFollowQueued, useQueue } from './queue.ts';

type Options = {
  readonly stream: Pick<ReturnType<typeof useConversationStream>, 'state' | 'expect' | 'show'>;
  readonly conversationId: ConversationId;
  /** Not acknowledged yet. */
  readonly pending: readonly PendingSend[];
  readonly path: Path;
  readonly answerer: Answerer;
};

/** The waiting questions of a chat: those in the server's queue, and those that are still being sent. */
export type Waiting = { readonly queue: QuestionQueue; readonly sending: readonly PendingSend[] };

/** Sends questions immediately, or adds them to the chat's queue. */
export function useSending({ stream, conversationId, pending, path, answerer }: Options) {
  const { state, expect, show } = stream;
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const ask = useAsk();
  const queue = useQueue(conversationId, (state?.sequence ?? 0) > 0);
  const all = useMemo(() => [...queue.items, ...pending], [queue, pending]);
  const follow = useFollowQueued({ waiting: all, show });
  const isNow = () => !hasToWait(client, { orgId, conversationId });
  /** Sends the next question of the path, after everything that is queued. */
  const sendNext = (text: string, files: QuestionFiles) => {
    const isQueued = all.length > 0 || !isNow();
    const parentId = state && (endOf(path, all) ?? undefined);
    const sent = ask(conversationId, { text, files, answerer, isQueued, ...(parentId && { parentId }) });
    if (!isQueued && path.length > 0) expect(sent);
    return sent;
  };
  /** Sends an edited question as another version, with the same files. */
  const sendEdited = ({ parentId, files: attached = [] }: Message, text: string) => {
    const files = { asked: attached.map(({ id, use }) => ({ id, use })), attached };
    const isQueued = !isNow();
    const sent = ask(conversationId, { text, files, answerer, isQueued, parentId });
    if (isQueued) follow(sent.answerId);
    else expect(sent);
  };
  const waiting: Waiting = {
    queue,
    sending: pending.filter(
      ({ isQueued, messageId }) => isQueued === true && !queue.items.some(({ id }) => id === messageId),
    ),
  };
  return {
    sendNext,
    sendEdited,
    follow,
    waiting,
    /** Unacknowledged questions that aren't queued, shown in the conversation. */
    going: pending.filter(({ isQueued }) => !isQueued),
    /** True if a question that is sent now gets queued. */
    isWaiting: queue.items.length > 0 || (state !== undefined && isAnswering(state)),
  };
}
