/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- a combobox with its list box: the field keeps the focus and takes all keys, rows hold two lines */
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import { Modal } from '@mantine/core';
import type { Project } from '@parley/contracts';
import { Search } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { useProblemText } from '../../lib/problem-texts.ts';
import { useText } from '../../lib/text.ts';
import { groups, useOptions, type Entry, type Group, type Option, type Places } from './palette-options.ts';
import { PaletteRow } from './palette-row.tsx';
import { askedOf } from './search-completions.ts';
import { SearchNotes } from './search-notes.tsx';
import classes from './search-palette.module.css';

const none: readonly Project[] = [];

type Props = {
  entries: readonly Entry[];
  places: Places;
  /** The person's, to go to and for `in:`. */
  projects?: readonly Project[];
  onClose: () => void;
};

/**
 * Lists acts, chats and pages; once there are words, also tabs, documents, people, and messages that contain every word,
 * newest first. Operators, such as `has:file`, are completed by Tab, or by Enter on one that is chosen.
 */
export function SearchPalette({ entries, places, projects = none, onClose }: Props) {
  const { t } = useText();
  const listId = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState<number | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const type = (next: string) => {
    setText(next);
    setActive(null);
    field.current?.focus();
  };
  const { options, first, ...found } = useOptions({ text, complete: type }, { entries, places, projects });
  const index = Math.min(active ?? first, options.length - 1);
  const choose = useChoice(onClose);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setActive((index + step + options.length) % Math.max(1, options.length));
    } else if (event.key === 'Tab' && !event.shiftKey && options[0]?.group === 'filters') {
      event.preventDefault();
      (options[index]?.group === 'filters' ? options[index] : options[0])?.stay?.();
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing)
      choose(options[index], event.ctrlKey || event.metaKey);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      padding={0}
      size="40rem"
      yOffset="11dvh"
      returnFocus={false}
      attributes={{ content: { 'aria-label': t({ id: 'search.dialog.label', defaultMessage: 'Search or go to' }) } }}
    >
      <div className={classes.field}>
        <Search size={18} />
        <input
          data-autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={options[index] ? `${listId}-${index}` : undefined}
          aria-label={t({
            id: 'search.field.label',
            defaultMessage: 'Search chats, documents and people, or go to a page',
          })}
          placeholder={t({ id: 'search.field.placeholder', defaultMessage: 'Chats, documents, people, pages' })}
          ref={field}
          value={text}
          maxLength={500}
          dir="auto"
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={press}
        />
        <kbd dir="ltr">Esc</kbd>
      </div>
      <SearchNotes wrong={found.wrong} isFilling={found.isFilling} />
      <Options
        listId={listId}
        options={options}
        words={askedOf(text).words}
        index={index}
        onPoint={setActive}
        onChoose={choose}
      />
      <Status state={found.state} error={found.error} hasOptions={options.length > 0} />
    </Modal>
  );
}

/** What was chosen happens here, or in a new tab where it is a place. */
function useChoice(onClose: () => void) {
  const navigate = useNavigate();
  const [before] = useState(() => document.activeElement);
  const isDone = useRef(false);
  const hasGone = useRef(false);
  // Whoever goes to no other page is again where the palette was opened.
  useEffect(
    () => () => {
      if (!hasGone.current && before instanceof HTMLElement) before.focus();
    },
    [before],
  );
  return (option: Option | undefined, isNewTab: boolean) => {
    if (!option || isDone.current) return;
    if (option.stay) return option.stay();
    if (isNewTab && option.path !== undefined) return void window.open(option.path, '_blank', 'noopener');
    isDone.current = true;
    hasGone.current = option.path !== undefined;
    onClose();
    if (option.path === undefined) return option.run?.();
    // Its first field takes the focus from there, where it has one.
    document.querySelector('main')?.focus();
    void navigate(option.path);
  };
}

type OptionsProps = {
  listId: string;
  options: readonly Option[];
  words: string;
  index: number;
  onPoint: (place: number) => void;
  onChoose: (option: Option, isNewTab: boolean) => void;
};

function Options({ listId, options, words, index, onPoint, onChoose }: OptionsProps) {
  const { t } = useText();
  const names: Record<Group, string> = {
    filters: t({ id: 'search.group.filters', defaultMessage: 'Filters' }),
    do: t({ id: 'search.group.do', defaultMessage: 'Do' }),
    projects: t({ id: 'search.group.projects', defaultMessage: 'Projects' }),
    chats: t({ id: 'search.group.chats', defaultMessage: 'Chats' }),
    documents: t({ id: 'search.group.documents', defaultMessage: 'Documents' }),
    people: t({ id: 'search.group.people', defaultMessage: 'People' }),
    settings: t({ id: 'search.group.settings', defaultMessage: 'Settings' }),
    messages: t({ id: 'search.group.messages', defaultMessage: 'Messages' }),
  };
  return (
    <div
      id={listId}
      role="listbox"
      className={classes.list}
      aria-label={t({ id: 'search.list.label', defaultMessage: 'Results' })}
    >
      {groups
        .filter((group) => options.some((option) => option.group === group))
        .map((group) => (
          <div key={group} role="group" aria-label={names[group]}>
            <p className={`p-meta ${classes.group}`} aria-hidden="true">
              {names[group]}
            </p>
            {options.map((option, place) =>
              option.group === group ? (
                <div
                  key={option.key}
                  id={`${listId}-${place}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={place === index}
                  className={`p-sm ${classes.option}`}
                  onPointerMove={() => onPoint(place)}
                  onClick={(event) => onChoose(option, event.ctrlKey || event.metaKey)}
                  ref={place === index ? scrollTo : undefined}
                >
                  <PaletteRow option={option} words={words} isChosen={place === index} />
                </div>
              ) : null,
            )}
          </div>
        ))}
    </div>
  );
}

function scrollTo(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

type StatusProps = { state: ReturnType<typeof useOptions>['state']; error: unknown; hasOptions: boolean };

function Status({ state, error, hasOptions }: StatusProps) {
  const { t } = useText();
  const describe = useProblemText();
  const words = error
    ? describe(error).text
    : state === 'searching' && !hasOptions
      ? t({ id: 'search.status.searching', defaultMessage: 'Searching' })
      : state === 'done' && !hasOptions
        ? t({ id: 'search.status.none', defaultMessage: 'No results. Use fewer or other words.' })
        : null;
  return (
    <div className={classes.foot}>
      <p aria-live="polite">{words}</p>
      {words === null ? <Keys /> : null}
    </div>
  );
}

function Keys() {
  const { rich } = useText();
  const key = (parts: ReactNode[]) => <kbd dir="ltr">{parts}</kbd>;
  return (
    <p className={classes.keys}>
      <span>{rich({ id: 'search.keys.choose', defaultMessage: '<key>↑</key> <key>↓</key> choose' }, { key })}</span>
      <span>
        {rich(
          {
            id: 'search.keys.filter',
            defaultMessage: '<key>has:</key> <key>from:</key> <key>before:</key> filter messages',
          },
          { key },
        )}
      </span>
      <span>
        {rich({ id: 'search.keys.newTab', defaultMessage: '<key>Ctrl</key> <key>Enter</key> in a new tab' }, { key })}
      </span>
    </p>
  );
}
