import { useCallback } from 'react';
import { useText } from '../../lib/text.ts';
import { useModelName } from '../../domain/model/model-name.ts';
import { useChatbotNames } from '../../domain/chatbot/use-chatbot-names.ts';

/** As the server names all that was not counted apart, and the assistant that asks no server. */
const other = 'other';
const builtIn = 'builtin';

/** What a model, a provider or a chatbot is called. */
export function usePartNames(): (id: string) => string {
  const { t } = useText();
  const chatbots = useChatbotNames();
  const modelName = useModelName();
  return useCallback(
    (id) => {
      if (id === other) return t({ id: 'monitoring.part.other', defaultMessage: 'All others' });
      if (id.startsWith('bot_'))
        return (
          chatbots?.get(id) ??
          t({ id: 'monitoring.part.chatbotGone', defaultMessage: 'A chatbot that is not there any more' })
        );
      return id === builtIn || id.startsWith('prv_') ? modelName(id) : id;
    },
    [t, chatbots, modelName],
  );
}
