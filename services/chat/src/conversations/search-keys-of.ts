import type { SearchQuery } from '@parley/contracts';
import { searchKeys } from '@parley/platform/text';
import type { NewMessage } from './message.collection.ts';

/** Keys of a message besides its words. They begin with a colon, which no word contains. */
export const sourceKeys = { me: ':me', chatbot: ':chatbot' } as const satisfies Record<
  NonNullable<SearchQuery['from']>,
  string
>;
export const fileKeys = { file: ':file', image: ':image' } as const satisfies Record<
  SearchQuery['has'][number],
  string
>;

type Said = Pick<NewMessage, 'role' | 'text' | 'files'>;

/** Returns the search keys of a message: its author, its files and its words. None without text and files. */
export function searchKeysOf(message: Said): string[] {
  const isEmpty = message.text === '' && !message.files?.length;
  return isEmpty ? [] : [...keysBesideWords(message), ...searchKeys(message.text)];
}

export function keysBesideWords({ role, files = [] }: Pick<Said, 'role' | 'files'>): string[] {
  return [
    role === 'person' ? sourceKeys.me : sourceKeys.chatbot,
    ...(files.length > 0 ? [fileKeys.file] : []),
    ...(files.some(({ mediaType }) => mediaType.startsWith('image/')) ? [fileKeys.image] : []),
  ];
}
