import { getDocument, PDFWorker, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Longer than any document that people wait for; what never opens holds a processor until then. */
const mostOpeningMs = 30_000;
const mostPixelsOfImage = 50_000_000;
/** The worker, and what pages may need to be drawn: tables of characters, the fonts that need not be in a file, decoders of pictures. */
const files = import.meta.glob<string>(
  [
    '../../../../node_modules/pdfjs-dist/legacy/build/pdf.worker.min.mjs',
    '../../../../node_modules/pdfjs-dist/cmaps/*.bcmap',
    '../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}',
    '../../../../node_modules/pdfjs-dist/wasm/*.wasm',
  ],
  { query: '?url', import: 'default', eager: true },
);
const urls = new Map(Object.entries(files).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]));

function urlOf(name: string): string {
  const url = urls.get(name);
  if (url === undefined) throw new Error(`No file ${name} of pdf.js`);
  return url;
}

/** Answers the worker, which reaches nothing itself, with files of this program only. */
class OwnFiles {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const response = await fetch(urlOf(filename));
    if (!response.ok) throw new Error(`${filename}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
}

export type PdfFlaw = 'encrypted' | 'damaged' | 'slow';
export class PdfError extends Error {
  readonly flaw: PdfFlaw;

  constructor(flaw: PdfFlaw, options?: ErrorOptions) {
    super(`The PDF cannot be shown: ${flaw}`, options);
    this.name = 'PdfError';
    this.flaw = flaw;
  }
}

export type OpenPdf = {
  readonly pdf: PDFDocumentProxy;
  /** Of the first page, width and height in points. */
  readonly size: { readonly width: number; readonly height: number };
};

/**
 * Opens a PDF in a worker of its own, which `signal` ends with all it does. Nothing of the file is run: no evaluated
 * code, no scripts, no XFA. Rejects with `PdfError`.
 */
export async function openPdf(data: ArrayBuffer, signal: AbortSignal): Promise<OpenPdf> {
  const port = new Worker(urlOf('pdf.worker.min.mjs'), { type: 'module' });
  const worker = PDFWorker.create({ port });
  signal.addEventListener('abort', () => port.terminate(), { once: true });
  signal.throwIfAborted();
  const task = getDocument({
    data,
    worker,
    isEvalSupported: false,
    enableXfa: false,
    stopAtErrors: false,
    maxImageSize: mostPixelsOfImage,
    useWorkerFetch: false,
    useSystemFonts: false,
    BinaryDataFactory: OwnFiles,
    verbosity: 0,
  });
  const tooSlow = new PdfError('slow');
  const failed = Promise.withResolvers<never>();
  const timer = setTimeout(() => failed.reject(tooSlow), mostOpeningMs);
  port.addEventListener('error', () => failed.reject(new PdfError('damaged')));
  const opening = task.promise.then(async (pdf) => {
    const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
    return { pdf, size: { width, height } };
  });
  try {
    return await Promise.race([opening, failed.promise]);
  } catch (error) {
    opening.catch(() => undefined);
    port.terminate();
    if (error instanceof PdfError) throw error;
    if (signal.aborted) throw error;
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new PdfError(isLocked ? 'encrypted' : 'damaged', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
