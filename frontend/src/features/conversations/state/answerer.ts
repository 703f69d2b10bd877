import type { Chatbot, ChatbotId, Message, Model, ModelKey } from '@parley/contracts';
import { BookOpenText, Bot, type LucideIcon } from 'lucide-react';
import { useCallback, useState } from 'react';
import { readStored, writeStored } from '../../../lib/stored.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { glyphs } from '../../../ui/glyph.ts';
import { useModelName } from '../../../domain/model/model-name.ts';
import { useChatbots } from '../../../domain/chatbot/use-chatbots.ts';
import { useModels } from '../../../domain/model/use-models.ts';

/**
 * The chatbot and model that answer the next question. Without a chatbot of the organisation, people choose the model.
 */
export type Answerer = { readonly chatbot: Chatbot | null; readonly model: Model | null };

/**
 * Returns chatbot and model as fields of a question. Leaves out the default chatbot, and the model if the chatbot has
 * its own.
 */
export const answererOf = ({ chatbot, model }: Answerer) => ({
  ...(chatbot && !chatbot.isDefault ? { chatbotId: chatbot.id } : {}),
  ...(model && !chatbot?.model ? { model: model.key } : {}),
});

const none: readonly Chatbot[] = [];

/** The model and chatbot that gave an answer, or that a question was sent to. */
export type Given = { readonly model: ModelKey | null; readonly chatbotId: ChatbotId | null };
export const nobody: Given = { model: null, chatbotId: null };

/** Returns the model and chatbot of an answer. An imported answer has a model label but no key: null. */
export const givenBy = (answer: Pick<Message, 'generation' | 'imported'> | undefined): Given => ({
  model: (!answer?.imported && answer?.generation?.model.key) || null,
  chatbotId: answer?.generation?.chatbot?.id ?? null,
});

/** Returns the picked model, otherwise the one asked before, the last used one, or the organisation's default. */
function useModel(before: Given) {
  const { me, organisation } = useTab();
  const query = useModels();
  const key = `parley.model.${me.id}.${organisation.id}`;
  const [picked, setPicked] = useState<ModelKey | null>(null);
  const models = query.data?.items ?? [];
  const offered = (wanted: ModelKey | null | undefined) => models.find((model) => model.key === wanted);
  const model: Model | null =
    offered(picked) ??
    offered(before.model) ??
    offered(readStored<ModelKey>('local', key)) ??
    models.find((candidate) => candidate.isDefault) ??
    models[0] ??
    null;
  const pick = (next: ModelKey) => {
    setPicked(next);
    writeStored('local', key, next);
  };
  return { query, models, model, pick };
}

/**
 * Returns the picked chatbot, otherwise the one asked before, the last used one, or the default. It answers on its own
 * model; without one, on the picked model.
 */
export function useAnswerer(before: Given) {
  const { me, organisation } = useTab();
  const { query, models, model: picked, pick } = useModel(before);
  const { data } = useChatbots();
  const key = `parley.chatbot.${me.id}.${organisation.id}`;
  const [pickedBot, setPickedBot] = useState<ChatbotId | null>(null);
  const chatbots = data?.items ?? none;
  const offered = (id: ChatbotId | null | undefined) => chatbots.find((one) => one.id === id);
  const chatbot =
    offered(pickedBot) ??
    offered(before.chatbotId) ??
    offered(readStored<ChatbotId>('local', key)) ??
    chatbots.find(({ isDefault }) => isDefault) ??
    null;
  const pickBot = (id: ChatbotId) => {
    setPickedBot(id);
    writeStored('local', key, id);
  };
  const wanted = chatbot?.model ?? null;
  const model = wanted === null ? picked : (models.find((one) => one.key === wanted) ?? null);
  return { query, models, chatbots, answerer: { chatbot, model }, pickModel: pick, pickBot };
}

/** Returns false for the default chatbot until someone changes it: it is shown by its model's name. */
const isMade = (chatbot: Pick<Chatbot, 'version'> | null): boolean => chatbot !== null && chatbot.version > 0;

type Named = {
  readonly chatbot: Pick<Chatbot, 'name' | 'version'> | null;
  readonly model: Pick<Model, 'key' | 'label'> | null;
};

/**
 * Returns true for the built-in assistant without a chatbot: it has no name of its own, so sentences say "the built-in
 * assistant".
 */
export const isBuiltin = ({ chatbot, model }: Named): boolean => !isMade(chatbot) && model?.key === 'builtin';

/** Returns a function that names a chatbot or model. */
export function useAnswererName(): (answerer: Named) => string {
  const nameOf = useModelName();
  return useCallback(
    ({ chatbot, model }) => (chatbot && isMade(chatbot) ? chatbot.name : model ? nameOf(model) : ''),
    [nameOf],
  );
}

/** Returns a function that names the chatbot or model of an answer. For imported answers both are only names. */
export function useNameOfAnswer(): (message: Pick<Message, 'generation' | 'imported'>) => string | undefined {
  const nameOf = useAnswererName();
  return useCallback(
    ({ generation, imported }) => {
      if (imported) return generation?.chatbot?.name ?? generation?.model.label;
      return generation ? nameOf(generation) : undefined;
    },
    [nameOf],
  );
}

export const iconOfModel = (key: ModelKey | undefined): LucideIcon => (key === 'builtin' ? BookOpenText : Bot);

export const iconOf = ({
  chatbot,
  model,
}: {
  readonly chatbot: Pick<Chatbot, 'glyph' | 'version'> | null;
  readonly model: Pick<Model, 'key'> | null;
}): LucideIcon => (chatbot && isMade(chatbot) ? glyphs[chatbot.glyph] : iconOfModel(model?.key));
