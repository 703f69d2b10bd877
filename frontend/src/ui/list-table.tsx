import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type FocusEvent, type ReactNode, type RefObject } from 'react';
import { scrollerOf } from './scroller-of.ts';
import classes from './table.module.css';

export type Column = {
  readonly key: string;
  readonly label: string;
  /** Figures stand at the end of their column. */
  readonly isFigure?: boolean;
  /** Named for screen readers only, as a column of buttons is. */
  readonly isHidden?: boolean;
};

type Props<Item> = {
  columns: readonly Column[];
  items: readonly Item[];
  /** The cells of one row, in the order of the columns. */
  cells: (item: Item) => ReactNode;
  isCurrent?: (item: Item) => boolean;
};

/** Up to here all rows are there, so that the browser's own search finds each; beyond, only those near the screen. */
const mostRows = 100;
const rowPx = 44;
const overscan = 15;

/** Rows with columns; on a small screen each row folds into lines. Of a long list only the rows in sight are drawn. */
export function ListTable<Item extends { readonly id: string }>({ columns, items, cells, isCurrent }: Props<Item>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { rows, measure, onFocus, onBlur } = useRows(body, items.length);
  return (
    <table className={`${classes.table} p-data`} aria-rowcount={items.length + 1}>
      <thead>
        <tr>
          {columns.map(({ key, label, isFigure, isHidden }) => (
            <th key={key} className={isFigure ? classes.figure : undefined}>
              {isHidden ? <span className="p-hidden">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body} onFocus={onFocus} onBlur={onBlur}>
        {rows.map((row) => {
          if (row.kind === 'gap') return <Gap key={row.key} px={row.px} columns={columns.length} />;
          const item = items[row.index];
          return item ? (
            <tr
              key={item.id}
              ref={measure}
              data-index={row.index}
              aria-rowindex={row.index + 2}
              data-current={isCurrent?.(item) || undefined}
            >
              {cells(item)}
            </tr>
          ) : null;
        })}
      </tbody>
    </table>
  );
}

/** The room of rows that are not drawn. */
function Gap({ px, columns }: { px: number; columns: number }) {
  return (
    <tr aria-hidden="true" className={classes.gap}>
      <td colSpan={columns} style={{ height: px }} />
    </tr>
  );
}

type Row = { kind: 'row'; index: number } | { kind: 'gap'; key: string; px: number };

function useRows(body: RefObject<HTMLTableSectionElement | null>, count: number) {
  const isVirtual = count > mostRows;
  // A row with the focus stays, wherever one scrolls to: the keyboard goes on from it.
  const [focused, setFocused] = useState<number | null>(null);
  const scrollMargin = useOffset(body);
  const virtualizer = useVirtualizer({
    enabled: isVirtual,
    count,
    overscan,
    scrollMargin,
    estimateSize: () => rowPx,
    getScrollElement: () => body.current && scrollerOf(body.current),
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range);
      return focused === null || focused >= count ? near : [...new Set([...near, focused])].sort((a, b) => a - b);
    },
  });
  const onFocus = ({ target }: FocusEvent) => setFocused(Number(target.closest('tr')?.dataset['index'] ?? 0));
  const onBlur = () => setFocused(null);
  if (!isVirtual) {
    const rows = Array.from({ length: count }, (_, index): Row => ({ kind: 'row', index }));
    return { rows, measure: undefined, onFocus, onBlur };
  }
  const rows: Row[] = [];
  let end = scrollMargin;
  for (const { index, start, end: next } of virtualizer.getVirtualItems()) {
    if (start > end) rows.push({ kind: 'gap', key: `before ${index}`, px: start - end });
    rows.push({ kind: 'row', index });
    end = next;
  }
  const total = virtualizer.getTotalSize() + scrollMargin;
  if (total > end) rows.push({ kind: 'gap', key: 'after', px: total - end });
  return { rows, measure: virtualizer.measureElement, onFocus, onBlur };
}

/** Where the rows begin in what scrolls them; what stands above may grow and shrink. */
function useOffset(body: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const scroller = body.current && scrollerOf(body.current);
    if (!body.current || !scroller) return;
    const top = body.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
    setOffset(Math.round(top));
  });
  return offset;
}
