import { Button } from '@mantine/core';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormats } from '../lib/formats.ts';
import { useText } from '../lib/text.ts';
import { FailureView } from './failure-view.tsx';
import { ListEdge } from './list-edge.tsx';
import { Note } from './note.tsx';
import { SkeletonRows, StateView } from './state-view.tsx';
import table from './table.module.css';

/** What `useList` gives, as far as its states go. */
type ListState<Item> = {
  readonly items: readonly Item[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
  readonly isFiltered: boolean;
  readonly edge: Parameters<typeof ListEdge>[0];
};

type Props<Item> = {
  list: ListState<Item>;
  /** In words, for screen readers while grey lines stand there. */
  loading: string;
  /** Title of the view that says why it could not be loaded; a missing right is a view of its own. */
  failed: string;
  empty: ReactNode;
  /** Of a list with filters: the bar above it, what to say when nothing fits them, and how to be rid of them. */
  filtering?: { bar: ReactNode; none: string; about?: string; clear: () => void };
  /** Below the rows: how many there are. */
  foot?: ReactNode;
  children: (items: readonly Item[]) => ReactNode;
};

/** The five states of a list, loading, empty, no match, failed and not permitted, and its rows with their edge. */
export function ListView<Item>({ list, loading, failed, empty, filtering, foot, children }: Props<Item>) {
  const { items, error, retry, isFiltered, edge } = list;
  if (error) return <FailureView title={failed} error={error} onRetry={retry} />;
  if (!items) return <SkeletonRows label={loading} />;
  if (items.length === 0 && !isFiltered) return empty;
  return (
    <>
      {filtering?.bar}
      {items.length === 0 && filtering ? (
        <NoMatch {...filtering} />
      ) : (
        <>
          {children(items)}
          <div className={table.more}>
            <ListEdge {...edge} />
          </div>
          {foot ? <p className={table.foot}>{foot}</p> : null}
        </>
      )}
    </>
  );
}

function NoMatch({ none, about, clear }: NonNullable<Props<never>['filtering']>) {
  const { t } = useText();
  return (
    <StateView
      icon={SearchX}
      title={none}
      actions={
        <Button variant="default" size="xs" onClick={clear}>
          {t({ id: 'list.filter.clear', defaultMessage: 'Clear filters' })}
        </Button>
      }
    >
      {about}
    </StateView>
  );
}

type OldProps = { since: number | null; text: (time: string) => string };

/** Warns above a list that could not be read again: its last items stay, with their age. */
export function OldNote({ since, text }: OldProps) {
  const { clock } = useFormats();
  return since === null ? null : (
    <div className={table.old}>
      <Note kind="warning">{text(clock(since))}</Note>
    </div>
  );
}
