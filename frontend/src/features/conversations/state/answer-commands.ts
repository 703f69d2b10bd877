import { useQueryClient } from '@tanstack/react-query';
import type { ConversationId, Message, MessageId } from '@parley/contracts';
import { useCallback, useEffect, useRef } from 'react';
import { api, isProblem, type Call } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { answererOf, type Answerer } from './answerer.ts';
import type { OtherAnswerer } from './message-actions.ts';
import { applyMessages, type ConversationStreamState } from '../../../domain/conversation/conversation-stream-state.ts';
import { hasToWait, keepQueue } from './queue.ts';

const again = 'POST /api/chat/conversations/:conversationId/answers';
type Change = (step: (state: ConversationStreamState) => ConversationStreamState) => void;

type Answering = {
  /** The chatbot and model that answer a question which has no answer yet. */
  readonly answerer: Answerer;
  readonly change: Change;
  readonly expect: (stream: Pick<Call<typeof again>['body'], 'generationId' | 'answerId'>) => void;
  /** Called when an answer was queued. */
  readonly follow: (answerId: MessageId) => void;
};

/** Asks for an answer now, or queues the request while another answer runs. */
function useAnswering(conversationId: ConversationId, { change, expect, follow }: Omit<Answering, 'answerer'>) {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  return useCallback(
    async (body: Call<typeof again>['body']) => {
      const place = { orgId, conversationId };
      const call = { orgId, params: { conversationId }, retries: 3 };
      if (!hasToWait(client, place))
        try {
          expect(body);
          const { answer } = await api(again, { ...call, body });
          return change((state) => applyMessages(state, [answer]));
        } catch (error) {
          // Go on only if another answer has begun in the chat meanwhile: then the request is queued.
          if (!isProblem(error, 'chat.generation-running')) throw error;
        }
      const wanted = { ...call, body: { kind: 'again', ...body } as const };
      await keepQueue(client, place, await api('POST /api/chat/conversations/:conversationId/queue', wanted));
      follow(body.answerId);
    },
    [orgId, conversationId, client, change, expect, follow],
  );
}

/** Regenerates, retries, continues and stops answers. */
export function useAnswerCommands(conversationId: ConversationId, { answerer, ...answering }: Answering) {
  const orgId = useTab().organisation.id;
  const showError = useErrorToast();
  const ask = useAnswering(conversationId, answering);
  const chosen = useRef(answerer);
  useEffect(() => {
    chosen.current = answerer;
  });
  const answer = useCallback(
    (message: Message, wish: Pick<Call<typeof again>['body'], 'chatbotId' | 'model' | 'continues' | 'images'>) => {
      const parentId = message.role === 'person' ? message.id : message.parentId;
      if (!parentId) return;
      const chatbot = message.generation?.chatbot;
      ask({
        parentId,
        answerId: newId('message'),
        generationId: newId('generation'),
        ...(message.role === 'person' ? answererOf(chosen.current) : chatbot && { chatbotId: chatbot.id }),
        ...wish,
      }).catch(showError);
    },
    [ask, showError],
  );
  const askAgain = useCallback((message: Message, other: OtherAnswerer = {}) => answer(message, other), [answer]);
  /** Continues with the model that began the answer. */
  const goOn = useCallback(
    (message: Message) =>
      answer(message, {
        continues: message.id,
        ...(message.generation ? { model: message.generation.model.key } : {}),
      }),
    [answer],
  );
  const stop = useCallback(
    ({ generation }: Message) => {
      if (!generation) return;
      api('POST /api/chat/conversations/:conversationId/generations/:generationId/stop', {
        orgId,
        params: { conversationId, generationId: generation.id },
        retries: 3,
      }).catch(showError);
    },
    [orgId, conversationId, showError],
  );
  return { askAgain, goOn, stop };
}
