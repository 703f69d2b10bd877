import type { Locale } from '@parley/contracts';
import type { TextPart } from '@parley/contracts/pages';
import type { MessageFormatElement } from 'react-intl';
import { loadChunk } from './load-chunk.ts';

export type Messages = Record<string, MessageFormatElement[]>;

const files = import.meta.glob<Messages>('/compiled-messages/*.json', { import: 'default' });

/** Only the active locale is loaded, and only the part that is needed. */
export async function loadMessages(locale: Locale, part: TextPart): Promise<Messages> {
  const load = files[`/compiled-messages/${locale}.${part}.json`];
  if (!load) throw new Error(`No messages for ${locale}.${part}`);
  return loadChunk(load);
}
