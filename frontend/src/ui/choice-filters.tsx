import { Button } from '@mantine/core';
import { ListFilter, X } from 'lucide-react';
import { useText } from '../lib/text.ts';
import { useMediaQuery } from '../lib/use-media-query.ts';
import classes from './choice-filters.module.css';
import { Menu } from './menu.tsx';
import table from './table.module.css';

export type FilterChoice<Name extends string = string> = {
  readonly name: Name;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
};
type Props<Name extends string> = {
  choices: readonly FilterChoice<Name>[];
  values: Readonly<Record<Name, string | null>>;
  onChange: (part: Partial<Record<Name, string | null>>) => void;
};

/** A list's filters by offered values: a chip each, and on a small screen all of them behind one button. */
export function ChoiceFilters<Name extends string>({ choices, values, onChange }: Props<Name>) {
  const isSmall = useMediaQuery('(max-width: 699px)');
  const set = (name: Name, value: string | null) => onChange({ [name]: value } as Partial<Record<Name, string | null>>);
  if (isSmall) return <AllFilters choices={choices} values={values} onChange={onChange} />;
  return choices.map((choice) => (
    <Chip key={choice.name} choice={choice} value={values[choice.name]} onChange={(value) => set(choice.name, value)} />
  ));
}

type OneProps = { choice: FilterChoice; value: string | null; onChange: (value: string | null) => void };

function Options({ choice, value, onChange }: OneProps) {
  return (
    <Menu.RadioGroup value={value} onChange={onChange}>
      {choice.options.map((option) => (
        <Menu.RadioItem key={option.value} value={option.value} closeMenuOnClick>
          <bdi>{option.label}</bdi>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

function Chip({ choice, value, onChange }: OneProps) {
  const { t } = useText();
  const set = choice.options.find((option) => option.value === value);
  if (set)
    return (
      <button
        type="button"
        className={table.chip}
        aria-pressed="true"
        aria-label={t(
          { id: 'list.filter.remove', defaultMessage: '{name}: {value}, remove this filter' },
          { name: choice.label, value: set.label },
        )}
        onClick={() => onChange(null)}
      >
        <bdi>{set.label}</bdi>
        <X size={14} />
      </button>
    );
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <button type="button" className={table.chip}>
          {choice.label}
        </button>
      </Menu.Target>
      <Menu.Dropdown className={classes.options}>
        <Options choice={choice} value={value} onChange={onChange} />
      </Menu.Dropdown>
    </Menu>
  );
}

function AllFilters<Name extends string>({ choices, values, onChange }: Props<Name>) {
  const { t } = useText();
  const count = choices.filter(({ name }) => values[name] !== null).length;
  const nothing = Object.fromEntries(choices.map(({ name }) => [name, null])) as Record<Name, null>;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          variant="default"
          aria-label={
            count > 0
              ? t({ id: 'list.filter.all', defaultMessage: 'Filters, {count, number} set' }, { count })
              : undefined
          }
          leftSection={<ListFilter />}
        >
          {t({ id: 'list.filter.title', defaultMessage: 'Filters' })}
          {count > 0 ? <span className={classes.count}>{count}</span> : null}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.options}>
        {count > 0 ? (
          <Menu.Item onClick={() => onChange(nothing)}>
            {t({ id: 'list.filter.none', defaultMessage: 'Remove all filters' })}
          </Menu.Item>
        ) : null}
        {choices.map((choice) => (
          <fieldset key={choice.name} aria-label={choice.label}>
            <Menu.Label>{choice.label}</Menu.Label>
            <Options
              choice={choice}
              value={values[choice.name]}
              onChange={(value) => onChange({ [choice.name]: value } as Partial<Record<Name, string | null>>)}
            />
          </fieldset>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
