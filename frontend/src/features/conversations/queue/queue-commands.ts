import { useQueryClient } from '@tanstack/react-query';
import type { ConversationId, QuestionQueue, QueuedQuestion } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { api, isPassing, isProblem } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { useToast } from '../../../ui/toast.tsx';
import type { GiveBack } from '../state/composing.ts';
import { keepQueue, noQueue, queueKey } from '../state/queue.ts';

/** Edits and withdraws queued questions of a chat, and continues its queue. */
export function useQueueCommands(conversationId: ConversationId, giveBack: GiveBack) {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const showError = useErrorToast();
  const place = { orgId, conversationId };
  const queryKey = queueKey(orgId, conversationId);
  const change = (step: (items: readonly QueuedQuestion[]) => QueuedQuestion[]) => {
    const queue = client.getQueryData<QuestionQueue>(queryKey) ?? noQueue;
    return keepQueue(client, place, { ...queue, items: step(queue.items) });
  };
  const tell = (error: unknown) => {
    showError(error);
    void client.invalidateQueries({ queryKey });
  };
  /** Returns false if the question couldn't be saved, because it was asked, withdrawn or changed meanwhile. */
  const save = async ({ id: messageId, version }: QueuedQuestion, text: string): Promise<boolean> => {
    try {
      const edited = await api('PATCH /api/chat/conversations/:conversationId/queue/:messageId', {
        orgId,
        params: { conversationId, messageId },
        body: { version, text: text.trim() },
      });
      await change((items) => items.map((item) => (item.id === edited.id ? edited : item)));
      return true;
    } catch (error) {
      tell(error);
      return false;
    }
  };
  const resume = () => {
    api('POST /api/chat/conversations/:conversationId/queue/resume', { orgId, params: { conversationId }, retries: 3 })
      .then((queue) => keepQueue(client, place, queue))
      .catch(tell);
  };
  return { save, withdraw: useWithdraw({ change, tell, place, giveBack }), resume };
}

type Withdrawing = {
  readonly place: { readonly orgId: OrgId; readonly conversationId: ConversationId };
  readonly giveBack: GiveBack;
  readonly change: (step: (items: readonly QueuedQuestion[]) => QueuedQuestion[]) => Promise<unknown>;
  readonly tell: (error: unknown) => void;
};

/** Withdraws questions from the queue, and puts their texts and files back into the message field. */
function useWithdraw({ place: { orgId, conversationId }, giveBack, change, tell }: Withdrawing) {
  const client = useQueryClient();
  const toast = useToast();
  const { t } = useText();
  const queryKey = queueKey(orgId, conversationId);
  const putBack = (items: readonly QueuedQuestion[]) =>
    giveBack(
      items.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n\n'),
      items.flatMap((question) => (question.files ?? []).map(({ id, use }) => ({ id, use }))),
    );
  const withdraw = async (gone: readonly QueuedQuestion[]) => {
    // Put the text back into the field first, so that it isn't lost if the page closes meanwhile.
    const takeOut = putBack(gone);
    await change((items) => items.filter((item) => !gone.some(({ id }) => id === item.id)));
    const withdrawn: QueuedQuestion[] = [];
    try {
      // Withdraw the last question first, so that no remaining question needs a new parent.
      for (const item of gone.toReversed()) {
        await api('DELETE /api/chat/conversations/:conversationId/queue/:messageId', {
          orgId,
          params: { conversationId, messageId: item.id },
          retries: 3,
        });
        withdrawn.unshift(item);
      }
    } catch (error) {
      // On a refusal, the question was asked meanwhile: keep only the withdrawn texts in the field. After a lost
      // response nobody knows, so keep the texts in both places.
      if (isProblem(error) && !isPassing(error)) {
        takeOut();
        putBack(withdrawn);
      }
      if (!isProblem(error, 'platform.conflict')) return tell(error);
      toast({
        text: t({
          id: 'tray.row.asked',
          defaultMessage: 'Parley already answers this question. You can stop the answer.',
        }),
      });
      return void client.invalidateQueries({ queryKey });
    }
    toast({ text: t({ id: 'tray.row.withdrawn', defaultMessage: 'Withdrawn from the queue' }) });
    void client.invalidateQueries({ queryKey });
  };
  return (gone: readonly QueuedQuestion[]) => void withdraw(gone);
}
