import type { Locale } from '@parley/contracts';
import type { MessageFormatElement } from 'react-intl';
import { loadChunk } from './load-chunk.ts';

export type Messages = Record<string, MessageFormatElement[]>;
export type MessageFiles = Record<string, () => Promise<Messages>>;

const firstFiles: MessageFiles = import.meta.glob<Messages>('/compiled-messages/*.first.json', { import: 'default' });

/** The texts of the visitor pages and of errors. Only the active locale is loaded. */
export const loadFirstTexts = (locale: Locale): Promise<Messages> => loadTexts(firstFiles, locale, 'first');

export async function loadTexts(files: MessageFiles, locale: Locale, part: string): Promise<Messages> {
  const load = files[`/compiled-messages/${locale}.${part}.json`];
  if (!load) throw new Error(`No messages for ${locale}.${part}`);
  return loadChunk(load);
}
