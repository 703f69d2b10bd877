/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- a combobox with its list box: the field keeps the focus and takes all keys, rows hold two lines */
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ConversationId, SearchHit } from '@parley/contracts';
import { MessageSquareText, Search, type LucideIcon } from 'lucide-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { useFormats } from '../../lib/formats.ts';
import { api } from '../../lib/http.ts';
import { useProblemText } from '../../lib/problem-texts.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { Snippet } from './snippet.tsx';
import classes from './search-palette.module.css';

type Entry = { path: string; label: string; icon: LucideIcon };
type Props = {
  entries: readonly Entry[];
  pathOfMessage: (conversation: ConversationId, messageId: string) => string;
  onClose: () => void;
};
type Option = { key: string; path: string } & ({ entry: Entry; hit?: never } | { hit: SearchHit; entry?: never });

const pauseMs = 150;

/** Pages to go to and messages that contain every word, newest first. */
export function SearchPalette({ entries, pathOfMessage, onClose }: Props) {
  const { t } = useText();
  const navigate = useNavigate();
  const listId = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { options, state, error } = useOptions(text.trim(), entries, pathOfMessage);
  const index = Math.min(active, options.length - 1);
  const go = (option: Option | undefined) => {
    if (!option) return;
    onClose();
    void navigate(option.path);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setActive((index + step + options.length) % Math.max(1, options.length));
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) go(options[index]);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      padding={0}
      size="36rem"
      yOffset="12dvh"
      attributes={{ content: { 'aria-label': t({ id: 'search.dialog.label', defaultMessage: 'Search or go to' }) } }}
    >
      <div className={classes.field}>
        <Search size={18} strokeWidth={1.75} aria-hidden="true" />
        <input
          data-autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={options[index] ? `${listId}-${index}` : undefined}
          aria-label={t({ id: 'search.field.label', defaultMessage: 'Search your messages or go to a page' })}
          placeholder={t({ id: 'search.field.placeholder', defaultMessage: 'Words from a chat, or a page' })}
          value={text}
          maxLength={200}
          dir="auto"
          onChange={(event) => {
            setText(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={press}
        />
      </div>
      <div
        id={listId}
        role="listbox"
        className={classes.list}
        aria-label={t({ id: 'search.list.label', defaultMessage: 'Results' })}
      >
        {options.map((option, place) => (
          <div
            key={option.key}
            id={`${listId}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === index}
            className={classes.option}
            onPointerMove={() => setActive(place)}
            onClick={() => go(option)}
            ref={place === index ? scrollTo : undefined}
          >
            {option.entry ? <EntryRow entry={option.entry} /> : <HitRow hit={option.hit} />}
          </div>
        ))}
      </div>
      <Status state={state} error={error} hasOptions={options.length > 0} />
    </Modal>
  );
}

const scrollTo = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

function useOptions(text: string, entries: Props['entries'], pathOfMessage: Props['pathOfMessage']) {
  const orgId = useTab().organisation.id;
  const [wanted] = useDebouncedValue(text, pauseMs);
  const { data, error, isFetching } = useQuery({
    queryKey: resourceKey('search', orgId, wanted),
    queryFn: ({ signal }) => api('GET /api/chat/search', { orgId, query: { q: wanted, limit: 20 }, signal }),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  const words = text.toLocaleLowerCase();
  const pages: Option[] = entries
    .filter(({ label }) => label.toLocaleLowerCase().includes(words))
    .map((entry) => ({ key: entry.path, path: entry.path, entry }));
  const hits: Option[] =
    text === ''
      ? []
      : (data?.items ?? []).map((hit) => ({
          key: hit.messageId,
          path: pathOfMessage(hit.conversationId, hit.messageId),
          hit,
        }));
  const state: 'idle' | 'searching' | 'done' =
    text === '' ? 'idle' : isFetching || wanted !== text ? 'searching' : 'done';
  return { options: [...pages, ...hits], state, error };
}

function EntryRow({ entry: { icon: Icon, label } }: { entry: Entry }) {
  return (
    <>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={classes.label}>{label}</span>
    </>
  );
}

function HitRow({ hit }: { hit: SearchHit }) {
  const { ago } = useFormats();
  return (
    <>
      <MessageSquareText size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={classes.hit}>
        <span className={classes.head}>
          <bdi className={classes.label}>{hit.conversationTitle}</bdi>
          <span className="p-meta">{ago(hit.createdAt)}</span>
        </span>
        <Snippet text={hit.snippet} ranges={hit.ranges} />
      </span>
    </>
  );
}

function Status({
  state,
  error,
  hasOptions,
}: {
  state: 'idle' | 'searching' | 'done';
  error: unknown;
  hasOptions: boolean;
}) {
  const { t } = useText();
  const describe = useProblemText();
  const words = error
    ? describe(error).text
    : state === 'searching' && !hasOptions
      ? t({ id: 'search.status.searching', defaultMessage: 'Searching' })
      : state === 'done' && !hasOptions
        ? t({ id: 'search.status.none', defaultMessage: 'No message has all these words. Use fewer or other ones.' })
        : t({ id: 'search.status.keys', defaultMessage: 'Arrow keys choose, Enter opens, Escape closes' });
  return (
    <p className={classes.status} aria-live="polite">
      {words}
    </p>
  );
}
