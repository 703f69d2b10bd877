import type { Message } from '@parley/contracts';
import { useModelName } from '../../../../domain/model/model-name.ts';
import { useChatbots } from '../../../../domain/chatbot/use-chatbots.ts';
import { useModels } from '../../../../domain/model/use-models.ts';
import classes from '../message.module.css';

/** Names the model of an answer beside its time, where it is not the one that its chatbot usually answers with. */
export function ModelTag({ chatbot, model }: Pick<NonNullable<Message['generation']>, 'chatbot' | 'model'>) {
  const nameOf = useModelName();
  const offered = useChatbots().data?.items.find(({ id }) => id === chatbot?.id);
  const models = useModels().data?.items ?? [];
  const usual = offered?.model ?? models.find(({ isDefault }) => isDefault)?.key;
  if (!offered || usual === undefined || usual === model.key) return null;
  return <bdi className={classes.tag}>{nameOf(model)}</bdi>;
}
