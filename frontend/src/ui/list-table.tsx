import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useRef, useState, type MouseEvent, type ReactNode, type RefObject } from 'react';
import { scrollerOf } from './scroller-of.ts';
import { useText } from '../lib/text.ts';
import { StatusShape, type StatusKind } from './status-shape.tsx';
import classes from './table.module.css';

export type Column = {
  readonly key: string;
  readonly label: string;
  /** Figures stand at the end of their column. */
  readonly isFigure?: boolean;
  /** Named for screen readers only, as a column of buttons is. */
  readonly isHidden?: boolean;
  /** Stands there instead of the label, as a control over all rows does. */
  readonly head?: ReactNode;
  /** Of a column by which the list can be ordered: whether it is, and how one orders it so. */
  readonly sort?: { readonly isCurrent: boolean; readonly direction: 'ascending' | 'descending'; onSort(): void };
};

type Props<Item> = {
  columns: readonly Column[];
  items: readonly Item[];
  /** The cells of one row, in the order of the columns. */
  cells: (item: Item) => ReactNode;
  isCurrent?: (item: Item) => boolean;
  /** Came in while one looks: it is washed for a second. */
  isNew?: (item: Item) => boolean;
  /** Runs on a click anywhere in a row. For the keyboard, the row needs a button that does the same. */
  onRow?: (item: Item) => void;
};

/** Up to here all rows are there, so that the browser's own search finds each; beyond, only those near the screen. */
const mostRows = 100;
const rowPx = 44;
const overscan = 15;

/** Rows with columns; on a small screen each row folds into lines. Of a long list only the rows in sight are drawn. */
export function ListTable<Item extends { readonly id: string }>(props: Props<Item>) {
  const { columns, items, cells, isCurrent, isNew, onRow } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const { rows, measure } = useRows(body, items.length);
  return (
    <table className={`p-sm ${classes.table} p-data`} aria-rowcount={items.length + 1}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Heading key={column.key} column={column} />
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row) => {
          if (row.kind === 'gap') return <tr key={row.key} aria-hidden="true" style={{ height: row.px }} />;
          const item = items[row.index];
          return item ? (
            <tr
              key={item.id}
              ref={measure}
              data-index={row.index}
              data-id={item.id}
              aria-rowindex={row.index + 2}
              data-current={isCurrent?.(item) || undefined}
              data-new={isNew?.(item) || undefined}
              data-opens={onRow ? true : undefined}
              onClick={onRow && ((event) => isOnRow(event) && onRow(item))}
            >
              {cells(item)}
            </tr>
          ) : null;
        })}
      </tbody>
    </table>
  );
}

/** Says whether a click is for the row: not for something in it, and not the end of selecting its text. */
function isOnRow({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): boolean {
  const control = (target as Element).closest('button, a, input, label');
  return !(control && currentTarget.contains(control)) && (window.getSelection()?.isCollapsed ?? true);
}

function Heading({ column: { label, isFigure, isHidden, sort, head } }: { column: Column }) {
  const Arrow = sort?.direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th className={isFigure ? classes.figure : undefined} aria-sort={sort?.isCurrent ? sort.direction : undefined}>
      {isHidden ? <span className="p-hidden">{label}</span> : null}
      {sort ? (
        <button type="button" className={classes.sort} data-current={sort.isCurrent || undefined} onClick={sort.onSort}>
          {label}
          {sort.isCurrent ? <Arrow size={14} /> : null}
        </button>
      ) : isHidden ? null : (
        (head ?? label)
      )}
    </th>
  );
}

type Row = { kind: 'row'; index: number } | { kind: 'gap'; key: string; px: number };

function useRows(body: RefObject<HTMLTableSectionElement | null>, count: number) {
  const isVirtual = count > mostRows;
  const focused = useFocusedRow(body);
  const scrollMargin = useOffset(body);
  // oxlint-disable-next-line react/incompatible-library -- its functions are called while this renders and kept by nobody
  const virtualizer = useVirtualizer({
    enabled: isVirtual,
    count,
    overscan,
    scrollMargin,
    estimateSize: () => rowPx,
    getScrollElement: () => body.current && scrollerOf(body.current),
    // When the list has become long one has scrolled already.
    initialOffset: () => (body.current && scrollerOf(body.current)?.scrollTop) ?? 0,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range);
      return focused === null || focused >= count ? near : [...new Set([...near, focused])].sort((a, b) => a - b);
    },
  });
  if (!isVirtual) {
    const rows = Array.from({ length: count }, (_, index): Row => ({ kind: 'row', index }));
    return { rows, measure: undefined };
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
  return { rows, measure: virtualizer.measureElement };
}

/** A row with the focus stays, wherever one scrolls to: the keyboard goes on from it. */
function useFocusedRow(body: RefObject<HTMLElement | null>): number | null {
  const [focused, setFocused] = useState<number | null>(null);
  useEffect(() => {
    const element = body.current;
    const enter = ({ target }: Event) => setFocused(Number((target as Element).closest('tr')?.dataset['index'] ?? 0));
    const leave = () => setFocused(null);
    element?.addEventListener('focusin', enter);
    element?.addEventListener('focusout', leave);
    return () => {
      element?.removeEventListener('focusin', enter);
      element?.removeEventListener('focusout', leave);
    };
  }, [body]);
  return focused;
}

/** Where the rows begin in what scrolls them; what stands above may grow and shrink. */
function useOffset(body: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0);
  useEffect(() => {
    const element = body.current;
    const around = element?.closest('table')?.parentElement;
    const scroller = element && scrollerOf(element);
    if (!around || !scroller) return undefined;
    const measure = () =>
      setOffset(element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop);
    const observer = new ResizeObserver(measure);
    observer.observe(around);
    return () => observer.disconnect();
  }, [body]);
  return offset;
}

/** Shows a state: its shape, then its words. */
export function Status({ kind, children }: { kind: StatusKind; children: ReactNode }) {
  return (
    <span className={classes.state}>
      <StatusShape kind={kind} />
      {children}
    </span>
  );
}

/** Shows a part of a whole, from 0 to 1, as a bar and in per cent. */
export function PartBar({ part }: { part: number }) {
  const { intl } = useText();
  return (
    <span className={classes.part}>
      <span className={classes.track} aria-hidden="true">
        <i className={classes.filled} style={{ inlineSize: `${100 * part}%` }} />
      </span>
      {intl.formatNumber(part, { style: 'percent' })}
    </span>
  );
}

type ChartProps = {
  title: string;
  /** The label of the button, by what it shows next. */
  words: { readonly asChart: string; readonly asTable: string };
  /** CSS classes of the section (`part`) and of its header (`head`). */
  styles: { readonly part?: string | undefined; readonly head: string | undefined };
  about?: ReactNode;
  table: ReactNode;
  children: ReactNode;
};

/** Shows a chart, or the same as a table. */
export function ChartOrTable({ title, words, styles, about, table, children }: ChartProps) {
  const [isTable, setTable] = useState(false);
  return (
    <section className={styles.part} aria-label={title}>
      <header className={styles.head}>
        <h3 className="p-h3">{title}</h3>
        {about}
        <button type="button" className="p-link" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? words.asChart : words.asTable}
        </button>
      </header>
      {isTable ? table : children}
    </section>
  );
}
