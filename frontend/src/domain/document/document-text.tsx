import { Button } from '@mantine/core';
import type { ChunkId, DocumentPassage } from '@parley/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { pagingOf } from '../../lib/use-list.ts';
import { useLocationWords } from '../passage/use-location-words.ts';
import { PassageText } from '../passage/passage-text.tsx';
import { FailureView } from '../../ui/failure-view.tsx';
import { ListEdge } from '../../ui/list-edge.tsx';
import { scrollToMiddle } from '../../ui/scroll-to-middle.ts';
import { idOf, textOf, type Viewed } from './viewed.ts';
import classes from './viewer.module.css';

type Props = { viewed: Viewed; storedAt: string; chunkId: ChunkId | null };
type Part = { from?: number; chunkId?: ChunkId };

/** The text that was read of a document, around a passage: never the original, whatever kind it is. */
export function DocumentText({ viewed, storedAt, chunkId }: Props) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const first: Part = chunkId === null ? {} : { chunkId };
  const query = useInfiniteQuery({
    queryKey: resourceKey('passages', orgId, 'of', idOf(viewed), storedAt, chunkId ?? ''),
    initialPageParam: first,
    queryFn: ({ pageParam, signal }) => textOf(viewed, pageParam, { orgId, signal }),
    getPreviousPageParam: ({ previous }): Part | null => (previous === null ? null : { from: previous }),
    getNextPageParam: ({ next }): Part | null => (next === null ? null : { from: next }),
    staleTime: 60_000,
  });
  const { data, error } = query;
  if (error && !data)
    return (
      <FailureView
        title={t({ id: 'viewer.text.failed', defaultMessage: "The text couldn't be loaded" })}
        error={error}
        onRetry={() => void query.refetch()}
      />
    );
  if (!data)
    return (
      <p className={classes.loading} aria-busy="true">
        {t({ id: 'viewer.text.loading', defaultMessage: 'Loading text…' })}
      </p>
    );
  const passages = data.pages.flatMap((page) => page.passages);
  return (
    <section
      className={classes.text}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
      tabIndex={0}
      aria-label={t({ id: 'viewer.text.name', defaultMessage: 'Text of the document' })}
    >
      {query.hasPreviousPage ? (
        <Button
          variant="default"
          size="xs"
          loading={query.isFetchingPreviousPage}
          onClick={() => void query.fetchPreviousPage()}
        >
          {t({ id: 'viewer.text.earlier', defaultMessage: 'Show earlier text' })}
        </Button>
      ) : null}
      {passages.length === 0 ? (
        <p className="p-sm p-quiet">
          {t({ id: 'viewer.text.none', defaultMessage: 'No text has been read from this document.' })}
        </p>
      ) : null}
      <Passages passages={passages} cited={chunkId} />
      <ListEdge {...pagingOf(query).edge} />
    </section>
  );
}

/** Where a page, sheet or slide begins it says which; so does each heading. */
function Passages({ passages, cited }: { passages: readonly DocumentPassage[]; cited: ChunkId | null }) {
  const words = useLocationWords();
  const marked = useRef<HTMLElement>(null);
  const hasCited = passages.some(({ chunkId }) => chunkId === cited);
  useEffect(() => {
    if (hasCited && marked.current) scrollToMiddle(marked.current);
  }, [hasCited]);
  return passages.map(({ chunkId, heading, place, text }, at) => {
    const before = passages[at - 1];
    const where = place ? words(place) : null;
    const isNewPlace = where !== null && where !== (before?.place ? words(before.place) : null);
    const isNewHeading = heading !== null && (heading !== before?.heading || isNewPlace);
    return (
      <section key={chunkId} ref={chunkId === cited ? marked : undefined}>
        {isNewPlace ? (
          <h3 className={`p-meta ${classes.place}`}>
            <bdi>{where}</bdi>
          </h3>
        ) : null}
        {isNewHeading ? (
          <h4 className={classes.heading}>
            <bdi>{heading}</bdi>
          </h4>
        ) : null}
        {chunkId === cited ? <PassageText text={text} around={nothing} /> : <PassageText text={text} />}
      </section>
    );
  });
}

/** It is marked. */
const nothing = { before: '', after: '' };
