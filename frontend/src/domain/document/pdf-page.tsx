import type { PDFDocumentProxy, RenderTask } from 'pdfjs-dist';
import { AnnotationMode, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useText } from '../../lib/text.ts';
import { scrollToMiddle } from '../../ui/scroll-to-middle.ts';
import { partsInPassage } from './cited-parts.ts';
import classes from './pdf.module.css';

/** Canvases of more pixels are refused by some browsers, and a page is legible with fewer. */
const mostPixels = 12_000_000;
const mostPixelRatio = 2;

type Props = {
  pdf: PDFDocumentProxy;
  number: number;
  /** In CSS pixels. */
  width: number;
  height: number;
  /** The passage that is cited on this page; null on any other. */
  cited: string | null;
  /** Height by width, once it is known. */
  onRatio: (number: number, ratio: number) => void;
};

/** One page as a picture with its text above, to be selected. No links, forms or scripts of it are there. */
export function PdfPage({ pdf, number, width, height, cited, onRatio }: Props) {
  const { t } = useText();
  const holder = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<unknown>(null);
  const tellRatio = useEffectEvent(onRatio);
  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const drawing = new AbortController();
    draw({ pdf, number, width, cited, element, tellRatio, signal: drawing.signal }).catch((error: unknown) => {
      if (!drawing.signal.aborted) setError(error);
    });
    return () => {
      drawing.abort();
      setError(null);
      element.replaceChildren();
    };
  }, [pdf, number, width, cited]);
  return (
    <figure
      className={classes.page}
      style={{ inlineSize: width, blockSize: height }}
      data-page={number}
      aria-label={t({ id: 'viewer.pdf.page', defaultMessage: 'Page {number, number}' }, { number })}
    >
      <div ref={holder} />
      {error === null ? null : (
        <p className={classes.failed} role="alert">
          {t({ id: 'viewer.pdf.pageFailed', defaultMessage: "This page can't be shown. Download the PDF to see it." })}
        </p>
      )}
    </figure>
  );
}

type Drawing = Pick<Props, 'pdf' | 'number' | 'width' | 'cited'> & {
  element: HTMLElement;
  tellRatio: Props['onRatio'];
  signal: AbortSignal;
};

async function draw({ pdf, number, width, cited, element, tellRatio, signal }: Drawing): Promise<void> {
  const page = await pdf.getPage(number);
  if (signal.aborted) return;
  const whole = page.getViewport({ scale: 1 });
  tellRatio(number, whole.height / whole.width);
  const scale = width / whole.width;
  const viewport = page.getViewport({ scale });
  const ratio = Math.min(
    Math.max(devicePixelRatio, 1),
    mostPixelRatio,
    Math.sqrt(mostPixels / (viewport.width * viewport.height)),
  );
  const canvas = document.createElement('canvas');
  canvas.className = classes.canvas ?? '';
  canvas.width = Math.max(1, Math.floor(viewport.width * ratio));
  canvas.height = Math.max(1, Math.floor(viewport.height * ratio));
  const task: RenderTask = page.render({
    canvas,
    viewport: page.getViewport({ scale: scale * ratio }),
    // What was filled into a form or stamped is part of the picture; nothing of it can be clicked.
    annotationMode: AnnotationMode.ENABLE,
  });
  signal.addEventListener('abort', () => task.cancel(), { once: true });
  await task.promise;
  if (signal.aborted) return;
  element.replaceChildren(canvas);
  const text = document.createElement('div');
  text.className = classes.text ?? '';
  text.style.setProperty('--total-scale-factor', String(scale));
  text.style.setProperty('--scale-round-x', '1px');
  text.style.setProperty('--scale-round-y', '1px');
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport });
  signal.addEventListener('abort', () => layer.cancel(), { once: true });
  await layer.render();
  if (signal.aborted) return;
  element.append(text);
  element.dataset.drawn = 'true';
  if (cited === null) return;
  const marked = partsInPassage(layer.textContentItemsStr, cited).flatMap((at) => layer.textDivs[at] ?? []);
  for (const part of marked) part.classList.add(classes.cited ?? '');
  if (marked[0]) scrollToMiddle(marked[0]);
}
