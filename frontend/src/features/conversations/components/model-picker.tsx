import { UnstyledButton } from '@mantine/core';
import { Menu } from '../../../ui/menu.tsx';
import type { Model, ModelKey } from '@parley/contracts';
import { Check, ChevronDown } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { BotMark } from '../../../ui/avatar.tsx';
import { useModelName } from '../model-name.ts';
import { iconOfModel } from './answer-turn.tsx';
import classes from './model-picker.module.css';

export function ModelPicker({
  models,
  model,
  onModel,
}: {
  models: readonly Model[];
  model: Model | null;
  onModel: (key: ModelKey) => void;
}) {
  const { t } = useText();
  const nameOf = useModelName();
  if (!model) return <span className={classes.picker} />;
  return (
    <Menu position="top-start" width={280}>
      <Menu.Target>
        <UnstyledButton
          className={classes.picker}
          aria-label={t(
            { id: 'chat.model.pick', defaultMessage: 'Model: {model}. Choose another one' },
            { model: nameOf(model) },
          )}
        >
          <BotMark icon={iconOfModel(model.key)} size={20} />
          <bdi className={classes.name}>{nameOf(model)}</bdi>
          <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" className={classes.chevron} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.list}>
        {models.map((offered) => (
          <Menu.Item
            key={offered.key}
            onClick={() => onModel(offered.key)}
            leftSection={<BotMark icon={iconOfModel(offered.key)} size={20} />}
            rightSection={
              offered.key === model.key ? (
                <Check
                  size={16}
                  strokeWidth={1.75}
                  aria-label={t({ id: 'chat.model.chosen', defaultMessage: 'chosen' })}
                />
              ) : null
            }
          >
            <bdi className={classes.option}>{nameOf(offered)}</bdi>
            <span className="p-meta">
              {offered.providerName === null ? (
                t({ id: 'chat.model.builtin', defaultMessage: 'Quotes your documents, no language model' })
              ) : (
                <bdi>{offered.providerName}</bdi>
              )}
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
