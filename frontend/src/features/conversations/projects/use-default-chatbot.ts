import type { Project } from '@parley/contracts';
import { useChatbots } from '../../../domain/chatbot/use-chatbots.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';

/** Returns the chatbot that new chats of a project start with, and the chatbots to choose from. */
export function useDefaultChatbot({ chatbotId }: Pick<Project, 'chatbotId'>) {
  const mayUse = useRight('model:use');
  const { data } = useChatbots({ enabled: mayUse });
  const isKnown = data !== undefined || !mayUse;
  const chatbots = data?.items ?? [];
  const chosen = chatbotId === null ? undefined : chatbots.find(({ id }) => id === chatbotId);
  return {
    isKnown,
    chatbots,
    /** The project's own chatbot, if the person can use it. */
    chosen,
    /** True if the project names a chatbot that the person can't use any more. */
    isMissing: isKnown && chatbotId !== null && !chosen,
    /** The chatbot to offer first: the project's own, or else the organisation's default. */
    first: chosen ?? chatbots.find(({ isDefault }) => isDefault),
  };
}
