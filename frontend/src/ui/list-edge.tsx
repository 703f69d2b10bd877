import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useText } from '../lib/text.ts';
import { scrollerOf } from './scroller-of.ts';
import classes from './list-edge.module.css';

/** Asked for before the reader gets there. */
const marginPx = 600;

type Props = { /** Null when there is no more. */ onMore: (() => void) | null; isLoading: boolean; hasFailed: boolean };

/**
 * Where a list goes on: fetches the next page by itself, but after a failure only when asked. Its line stays free while
 * there is more, so that nothing moves.
 */
export function ListEdge({ onMore, isLoading, hasFailed }: Props) {
  const { t } = useText();
  const edge = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  useEffect(() => {
    latest.current = onMore;
  });
  const isWatching = onMore !== null && !isLoading && !hasFailed;
  useEffect(() => {
    if (!isWatching || !edge.current || typeof IntersectionObserver === 'undefined') return undefined;
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && latest.current?.(), {
      root: scrollerOf(edge.current),
      rootMargin: `${marginPx}px 0px`,
    });
    observer.observe(edge.current);
    return () => observer.disconnect();
  }, [isWatching]);
  return (
    <div ref={edge} className={classes.edge} data-more={onMore !== null || undefined}>
      {hasFailed && onMore ? (
        <div className={`p-sm p-quiet ${classes.failed}`} role="alert">
          {t({ id: 'list.edge.failed', defaultMessage: 'More could not be loaded.' })}
          <Button variant="default" size="xs" loading={isLoading} onClick={onMore}>
            {t({ id: 'list.edge.retry', defaultMessage: 'Load more' })}
          </Button>
        </div>
      ) : null}
      {isLoading && !hasFailed ? (
        <output className={`p-sm p-quiet ${classes.loading}`}>
          {t({ id: 'list.edge.loading', defaultMessage: 'More is loading' })}
        </output>
      ) : null}
    </div>
  );
}
