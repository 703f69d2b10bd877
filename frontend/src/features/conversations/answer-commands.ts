import type { ConversationId, Message, ModelKey } from '@parley/contracts';
import { useCallback } from 'react';
import { newId } from '../../lib/new-id.ts';
import { useProblemText } from '../../lib/problem-texts.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useToast } from '../../ui/toast.tsx';
import { postAnswerAgain, postStop, type AnswerRequest } from './api/messages.ts';
import { applyMessages, type ConversationStreamState } from './conversation-stream-state.ts';

type Change = (step: (state: ConversationStreamState) => ConversationStreamState) => void;

/** Regenerate, retry and stop. */
export function useAnswerCommands(
  conversationId: ConversationId,
  change: Change,
  expect: (stream: Pick<AnswerRequest, 'generationId' | 'answerId'>) => void,
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
      postAnswerAgain(orgId, conversationId, body).then(
        ({ answer }) => change((state) => applyMessages(state, [answer])),
        (error: unknown) => toast({ text: describe(error).text }),
      );
    },
    [orgId, conversationId, change, expect, toast, describe],
  );
  const stop = useCallback(
    (message: Message) =>
      void postStop(orgId, message).catch((error: unknown) => toast({ text: describe(error).text })),
    [orgId, toast, describe],
  );
  return { askAgain, stop };
}
