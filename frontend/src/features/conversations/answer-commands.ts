import type { ConversationId, Message, ModelKey } from '@parley/contracts';
import { useCallback } from 'react';
import { api, type Call } from '../../lib/http.ts';
import { newId } from '../../lib/new-id.ts';
import { useProblemText } from '../../lib/problem-texts.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useToast } from '../../ui/toast.tsx';
import { applyMessages, type ConversationStreamState } from './conversation-stream-state.ts';

const again = 'POST /api/chat/conversations/:conversationId/answers';
type Change = (step: (state: ConversationStreamState) => ConversationStreamState) => void;

/** Regenerate, retry and stop. */
export function useAnswerCommands(
  conversationId: ConversationId,
  change: Change,
  expect: (stream: Pick<Call<typeof again>['body'], 'generationId' | 'answerId'>) => void,
) {
  const orgId = useTab().organisation.id;
  const toast = useToast();
  const describe = useProblemText();
  const askAgain = useCallback(
    (message: Message, model?: ModelKey) => {
      if (!message.parentId) return;
      const body = {
        parentId: message.parentId,
        answerId: newId('message'),
        generationId: newId('generation'),
        ...(model ? { model } : {}),
      };
      expect(body);
      api(again, { orgId, params: { conversationId }, body, retries: 3 }).then(
        ({ answer }) => change((state) => applyMessages(state, [answer])),
        (error: unknown) => toast({ text: describe(error).text }),
      );
    },
    [orgId, conversationId, change, expect, toast, describe],
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
  return { askAgain, stop };
}
