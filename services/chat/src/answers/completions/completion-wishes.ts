import { imagesIn, type CompletionMessage, type CompletionRequest, type MessageFile } from '@parley/contracts';
import type { CompletionRow } from './completion.collection.ts';

type Wishes = Pick<CompletionRow, 'path' | 'files' | 'instructions' | 'temperature' | 'maxOutputTokens' | 'stops'>;

const textOf = (content: CompletionMessage['content']): string =>
  typeof content === 'string'
    ? content
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

/**
 * Returns the parameters of a request. If it sets the output limit under both of its names, the newer name applies;
 * repeated stop words are removed. `images` are the stored images of all messages.
 */
export function wishesOf(asked: CompletionRequest, images: readonly MessageFile[] = []): Wishes {
  const { messages, temperature, max_completion_tokens: most, max_tokens: mostByOldName, stop } = asked;
  const instructions: string[] = [];
  const path: CompletionRow['path'] = [];
  let at = 0;
  for (const message of messages) {
    const { role, content } = message;
    const text = textOf(content);
    if (role === 'user') {
      const attached = images.slice(at, (at += imagesIn(message).length));
      path.push({ role: 'person', text, ...(attached.length > 0 && { attached }) });
    } else if (role === 'assistant') path.push({ role: 'assistant', text });
    else if (text.trim() !== '') instructions.push(text);
  }
  return {
    path,
    ...(images.length > 0 && { files: images.map(({ id }) => id) }),
    instructions: instructions.join('\n\n'),
    temperature: temperature ?? null,
    maxOutputTokens: most ?? mostByOldName ?? null,
    stops: [...new Set([stop ?? []].flat())],
  };
}
