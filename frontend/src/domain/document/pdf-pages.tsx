import { useVirtualizer } from '@tanstack/react-virtual';
import { ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../lib/text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import type { OpenPdf } from './open-pdf.ts';
import { PdfPage } from './pdf-page.tsx';
import classes from './pdf.module.css';

const zooms = [1, 1.5, 2, 3] as const;
/** Around a page. */
const gapPx = 16;
const leastWidth = 160;

type Props = OpenPdf & {
  /** From 1; it is shown first. */
  first: number;
  cited: string | null;
};

/** The pages of a PDF, of which only those in view are drawn. */
export function PdfPages({ pdf, size, first, cited }: Props) {
  const { t } = useText();
  const scroller = useRef<HTMLDivElement>(null);
  const room = useWidthOf(scroller);
  const [zoom, setZoom] = useState(0);
  const [ratios] = useState(() => new Map<number, number>());
  const width = Math.round(Math.max(leastWidth, room - gapPx) * zooms[zoom]!);
  const heightOf = (number: number) => Math.round(width * (ratios.get(number) ?? size.height / size.width));
  const count = pdf.numPages;
  const start = Math.min(Math.max(first, 1), count);
  // oxlint-disable-next-line react/incompatible-library -- its functions are called while this renders and kept by nobody
  const virtualizer = useVirtualizer({
    count,
    enabled: room > 0,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => heightOf(at + 1) + gapPx,
    overscan: 1,
  });
  const shown = useRef(start);
  useEffect(() => {
    if (room === 0) return;
    virtualizer.measure();
    virtualizer.scrollToIndex(shown.current - 1, { align: 'start' });
  }, [virtualizer, room, width]);
  const middle = (virtualizer.scrollOffset ?? 0) + (virtualizer.scrollRect?.height ?? 0) / 2;
  const items = virtualizer.getVirtualItems();
  const current = (items.find(({ end }) => end > middle)?.index ?? start - 1) + 1;
  useEffect(() => {
    if (virtualizer.isScrolling) shown.current = current;
  });
  const learn = (number: number, ratio: number) => {
    if (Math.abs((ratios.get(number) ?? size.height / size.width) - ratio) < 0.001) return;
    ratios.set(number, ratio);
    virtualizer.resizeItem(number - 1, heightOf(number) + gapPx);
  };
  return (
    <div className={classes.frame}>
      <div className={classes.bar}>
        <span className={classes.where} aria-live="polite">
          {t(
            { id: 'viewer.pdf.where', defaultMessage: 'Page {number, number} of {count, number}' },
            { number: current, count },
          )}
        </span>
        <IconButton
          icon={ZoomOut}
          label={t({ id: 'viewer.pdf.smaller', defaultMessage: 'Zoom out' })}
          disabled={zoom === 0}
          onClick={() => setZoom(zoom - 1)}
        />
        <IconButton
          icon={ZoomIn}
          label={t({ id: 'viewer.pdf.larger', defaultMessage: 'Zoom in' })}
          disabled={zoom === zooms.length - 1}
          onClick={() => setZoom(zoom + 1)}
        />
      </div>
      <section
        ref={scroller}
        className={classes.pages}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it
        tabIndex={0}
        aria-label={t({ id: 'viewer.pdf.pages', defaultMessage: 'Pages' })}
      >
        <div className={classes.all} style={{ blockSize: virtualizer.getTotalSize(), inlineSize: width + gapPx }}>
          {items.map(({ index, start: top }) => (
            <div key={index} className={classes.slot} style={{ transform: `translateY(${top}px)` }}>
              <PdfPage
                pdf={pdf}
                number={index + 1}
                width={width}
                height={heightOf(index + 1)}
                cited={index + 1 === first ? cited : null}
                onRatio={learn}
              />
            </div>
          ))}
        </div>
      </section>
    </div>
  );
}

function useWidthOf(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
