import type { Locale } from '@parley/contracts';
import type { MessageFormatElement } from 'react-intl';
import { loadChunk } from './load-chunk.ts';

export type Messages = Record<string, MessageFormatElement[]>;
/** `first`: visitor pages and errors. `app`: everything behind the sign-in. */
export type MessagePart = 'first' | 'app';

const files = import.meta.glob<Messages>('/compiled-messages/*.json', { import: 'default' });

/** Only the active locale is loaded, and only the part that is needed. */
export async function loadMessages(locale: Locale, part: MessagePart): Promise<Messages> {
  const load = files[`/compiled-messages/${locale}.${part}.json`];
  if (!load) throw new Error(`No messages for ${locale}.${part}`);
  return loadChunk(load);
}
