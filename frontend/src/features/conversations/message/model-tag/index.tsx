import type { Message } from '@parley/contracts';
import { useModelName } from '../../../../domain/model/model-name.ts';
import { useChatbots } from '../../../../domain/chatbot/use-chatbots.ts';
import { useModels } from '../../../../domain/model/use-models.ts';
import { useText } from '../../../../lib/text.ts';
import classes from '../message.module.css';

type Props = Pick<NonNullable<Message['generation']>, 'chatbot' | 'model'> & Pick<Message, 'imported'>;

/**
 * Names an answer's model beside its time, if its chatbot usually answers with another one. For an imported answer it
 * says if the chatbot can't be asked here.
 */
export function ModelTag({ chatbot, model, imported }: Props) {
  const { t } = useText();
  const nameOf = useModelName();
  const chatbots = useChatbots().data?.items;
  const offered = chatbots?.find(({ id }) => id === chatbot?.id);
  const models = useModels().data?.items ?? [];
  if (imported)
    return chatbots && !offered ? (
      <span className={`p-one-line p-quiet ${classes.tag}`}>
        {t({ id: 'chat.bot.notAvailable', defaultMessage: 'not available' })}
      </span>
    ) : null;
  const usual = offered?.model ?? models.find(({ isDefault }) => isDefault)?.key;
  if (!offered || usual === undefined || usual === model.key) return null;
  return <bdi className={`p-one-line p-quiet ${classes.tag}`}>{nameOf(model)}</bdi>;
}
