import type { ConversationId, Message, ModelKey } from '@parley/contracts';
import { useCallback } from 'react';
import { api, type Call } from '../../lib/http.ts';
import { newId } from '../../lib/new-id.ts';
import { useProblemText } from '../../lib/problem-texts.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useToast } from '../../ui/toast.tsx';
import { applyMessages, type ConversationStreamState } from '../../lib/conversation-stream-state.ts';

const again = 'POST /api/chat/conversations/:conversationId/answers';
type Change = (step: (state: ConversationStreamState) => ConversationStreamState) => void;

/** Regenerate, retry, continue and stop. */
export function useAnswerCommands(
  conversationId: ConversationId,
  change: Change,
  expect: (stream: Pick<Call<typeof again>['body'], 'generationId' | 'answerId'>) => void,
) {
  const orgId = useTab().organisation.id;
  const toast = useToast();
  const describe = useProblemText();
  const answer = useCallback(
    (message: Message, wish: Pick<Call<typeof again>['body'], 'model' | 'continues'>) => {
      if (!message.parentId) return;
      const chatbot = message.generation?.chatbot;
      const body = {
        parentId: message.parentId,
        answerId: newId('message'),
        generationId: newId('generation'),
        ...(chatbot && { chatbotId: chatbot.id }),
        ...wish,
      };
      expect(body);
      api(again, { orgId, params: { conversationId }, body, retries: 3 }).then(
        ({ answer: written }) => change((state) => applyMessages(state, [written])),
        (error: unknown) => toast({ text: describe(error).text }),
      );
    },
    [orgId, conversationId, change, expect, toast, describe],
  );
  const askAgain = useCallback(
    (message: Message, model?: ModelKey) => answer(message, model ? { model } : {}),
    [answer],
  );
  /** By the model that began it. */
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
      }).catch((error: unknown) => toast({ text: describe(error).text }));
    },
    [orgId, conversationId, toast, describe],
  );
  return { askAgain, goOn, stop };
}
