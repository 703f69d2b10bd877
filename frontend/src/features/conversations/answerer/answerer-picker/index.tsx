import { Input, UnstyledButton } from '@mantine/core';
import type { Chatbot, ChatbotId, Model, ModelKey } from '@parley/contracts';
import { Check, ChevronDown, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { lazyPart } from '../../../../lib/lazy-part.tsx';
import { useText } from '../../../../lib/text.ts';
import { useMediaQuery } from '../../../../lib/use-media-query.ts';
import { BotMark } from '../../../../domain/picture/avatar.tsx';
import { glyphs } from '../../../../ui/glyph.ts';
import { Menu } from '../../../../ui/menu.tsx';
import { iconOf, iconOfModel, useAnswererName, type Answerer } from '../../state/answerer.ts';
import { useModelName } from '../../../../domain/model/model-name.ts';
import classes from './answerer-picker.module.css';

/** Loaded late, because most questions have no images. */
const SeesNoImages = lazyPart(async () => (await import('../../files/sees-no-images.tsx')).SeesNoImages);

export type AnswererPickerProps = {
  chatbots: readonly Chatbot[];
  models: readonly Model[];
  answerer: Answerer;
  onBot: (id: ChatbotId) => void;
  onModel: (key: ModelKey) => void;
  /** True if the question has images: models that don't accept them are marked. */
  hasImages?: boolean;
};

/** Chooses the chatbot for the next answer and, if the chatbot leaves it open, the model. */
export function AnswererPicker({ hasImages = false, ...props }: AnswererPickerProps) {
  const { chatbots, models, answerer, onBot, onModel } = props;
  const { t } = useText();
  const nameOf = useAnswererName();
  const { chatbot, model } = answerer;
  const [text, setText] = useState('');
  const hasChoice = chatbots.length > 1;
  const shown = useShown({ chatbots: hasChoice ? chatbots : [], models: chatbot?.model ? [] : models }, text);
  if (!model && !chatbot?.version) return <span className={`p-sm ${classes.picker}`} />;
  const label = hasChoice
    ? t({ id: 'chat.bot.pick', defaultMessage: 'Chatbot: {name}. Choose another one' }, { name: nameOf(answerer) })
    : t({ id: 'chat.model.pick', defaultMessage: 'Model: {model}. Choose another one' }, { model: nameOf(answerer) });
  return (
    <Menu position="bottom-start" width={280} onClose={() => setText('')}>
      <Menu.Target>
        <UnstyledButton className={`p-sm ${classes.picker}`} aria-label={label}>
          <BotMark icon={iconOf(answerer)} size={20} />
          <bdi className={`p-one-line ${classes.name}`}>{nameOf(answerer)}</bdi>
          <ChevronDown size={14} className={classes.chevron} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.list}>
        {shown.isSearched ? <Search text={text} onText={setText} /> : null}
        {shown.chatbots.length > 0 ? (
          <Bots chatbots={shown.chatbots} chosen={chatbot} onBot={onBot} models={models} hasImages={hasImages} />
        ) : null}
        {shown.models.length > 0 ? (
          <Models models={shown.models} model={model} isNamed={hasChoice} onModel={onModel} hasImages={hasImages} />
        ) : null}
        {shown.chatbots.length + shown.models.length === 0 ? (
          <p className={`p-sm p-quiet ${classes.none}`}>
            {t({ id: 'chat.pick.none', defaultMessage: 'Nothing matches.' })}
          </p>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Gets the focus when the menu opens, except on touch screens, where the keyboard would hide the list. */
function Search({ text, onText }: { text: string; onText: (text: string) => void }) {
  const { t } = useText();
  const isTouched = useMediaQuery('(pointer: coarse)');
  const Field = isTouched ? Input : Menu.Search;
  const label = t({ id: 'chat.pick.search', defaultMessage: 'Search' });
  return (
    <Field
      className={classes.search ?? ''}
      type="search"
      size="xs"
      dir="auto"
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      aria-label={label}
      placeholder={label}
    />
  );
}

/** A list of at least this many models or chatbots has a search. */
const searchedFrom = 6;

/** Returns the chatbots and models whose name, or whose provider's name, contains all words of the search. */
function useShown({ chatbots, models }: Pick<AnswererPickerProps, 'chatbots' | 'models'>, text: string) {
  const nameOf = useModelName();
  const words = text.toLowerCase().split(/\s+/);
  const matches = (...names: readonly (string | null)[]): boolean => {
    const all = names.join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  };
  return {
    isSearched: Math.max(chatbots.length, models.length) >= searchedFrom,
    chatbots: chatbots.filter(({ name }) => matches(name)),
    models: models.filter((model) => matches(nameOf(model), model.providerName)),
  };
}

function Bots({
  chatbots,
  chosen,
  onBot,
  models,
  hasImages,
}: Pick<AnswererPickerProps, 'chatbots' | 'onBot' | 'models' | 'hasImages'> & { chosen: Chatbot | null }) {
  const { t } = useText();
  return (
    <>
      <Menu.Label>{t({ id: 'chat.bot.heading', defaultMessage: 'Chatbot' })}</Menu.Label>
      {chatbots.map((chatbot) => (
        <Choice
          key={chatbot.id}
          icon={glyphs[chatbot.glyph]}
          isChosen={chatbot.id === chosen?.id}
          onClick={() => onBot(chatbot.id)}
        >
          <bdi className={classes.option}>{chatbot.name}</bdi>
          {chatbot.isDefault ? (
            <span className="p-meta">{t({ id: 'chat.bot.default', defaultMessage: 'For anything' })}</span>
          ) : null}
          {hasImages ? <SeesNoImages model={models.find(({ key }) => key === chatbot.model)} /> : null}
        </Choice>
      ))}
    </>
  );
}

function Models({
  models,
  model,
  isNamed,
  onModel,
  hasImages,
}: Pick<AnswererPickerProps, 'models' | 'onModel' | 'hasImages'> & { model: Model | null; isNamed: boolean }) {
  const { t } = useText();
  const nameOf = useModelName();
  return (
    <>
      {isNamed ? <Menu.Label>{t({ id: 'chat.model.heading', defaultMessage: 'Model' })}</Menu.Label> : null}
      {models.map((offered) => (
        <Choice
          key={offered.key}
          icon={iconOfModel(offered.key)}
          isChosen={offered.key === model?.key}
          onClick={() => onModel(offered.key)}
        >
          <bdi className={classes.option}>{nameOf(offered)}</bdi>
          <span className="p-meta">
            {offered.providerName === null ? (
              t({ id: 'chat.model.builtin', defaultMessage: 'Quotes your documents, no language model' })
            ) : (
              <bdi>{offered.providerName}</bdi>
            )}
          </span>
          {hasImages ? <SeesNoImages model={offered} /> : null}
        </Choice>
      ))}
    </>
  );
}

function Choice({
  icon,
  isChosen,
  onClick,
  children,
}: {
  icon: LucideIcon;
  isChosen: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  const { t } = useText();
  return (
    <Menu.Item
      onClick={onClick}
      leftSection={<BotMark icon={icon} size={20} />}
      rightSection={isChosen ? <Check aria-label={t({ id: 'chat.model.chosen', defaultMessage: 'chosen' })} /> : null}
    >
      {children}
    </Menu.Item>
  );
}
