import type { Citation } from '@parley/contracts';
import type { ExportedChatHead, ExportedMessage } from './export-format.ts';
import { markdownWords, type MarkdownWords } from './markdown-words.ts';

type Pages = AsyncIterable<readonly ExportedMessage[]>;

/** Writes a conversation as JSON, a message per line; of its messages only a page is in memory. */
export async function* jsonOf(head: ExportedChatHead, pages: Pages): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"messages":[`;
  let separator = '\n';
  for await (const messages of pages)
    for (const message of messages) {
      yield `${separator}${JSON.stringify(message)}`;
      separator = ',\n';
    }
  yield '\n]}\n';
}

/** Writes one path of a conversation as Markdown. Times are in UTC. */
export async function* markdownOf(
  { head, exportedAt, locale }: { head: ExportedChatHead; exportedAt: Date; locale: string },
  pages: Pages,
): AsyncGenerator<string> {
  const words = markdownWords(locale);
  const times = `${words.created}: ${timeOf(head.createdAt)} · ${words.exported}: ${timeOf(exportedAt.toISOString())}`;
  yield `# ${plain(head.title) || words.unnamed}\n\n${times}\n`;
  for await (const messages of pages) for (const message of messages) yield messageOf(message, words);
}

function messageOf(message: ExportedMessage, words: MarkdownWords): string {
  const { text, createdAt, files, citations = [], unfinished } = message;
  const parts = [
    `---\n\n## ${[nameOf(message), timeOf(createdAt)].filter((part) => part !== '').join(' · ')}`,
    closed(text.trim()),
    ...(unfinished ? [`*${words.unfinished}*`] : []),
    ...(files.length > 0 ? [`**${words.files}**\n\n${files.map(({ name }) => `- ${plain(name)}`).join('\n')}`] : []),
    ...(citations.length > 0
      ? [`**${words.sources}**\n\n${citations.map((each) => sourceOf(each, words)).join('\n')}`]
      : []),
  ];
  return `\n${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Who said it: a person, or the chatbot and its model. */
function nameOf({ author, chatbot, model }: ExportedMessage): string {
  if (author) return plain(author.name);
  if (chatbot && model) return `${plain(chatbot)} (${plain(model)})`;
  return plain(chatbot ?? model ?? '');
}

function sourceOf({ number, documentName, heading, place }: Citation, words: MarkdownWords): string {
  const where = place
    ? ` (${[place.attachment && plain(place.attachment), words.place[place.kind](place.number)].filter(Boolean).join(', ')})`
    : '';
  return `${number}. ${plain(documentName)}${heading ? ` – ${plain(heading)}` : ''}${where}`;
}

/** A block of code that an answer did not end would take in all that follows. */
function closed(text: string): string {
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (!fence) continue;
    const [, marks = '', rest = ''] = fence;
    if (open === null) open = marks;
    else if (marks.startsWith(open) && rest.trim() === '') open = null;
  }
  return open === null ? text : `${text}\n${open}`;
}

/** As text of one line, whatever signs of Markdown it has. */
const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`);

/** `2026-11-27 10:12 UTC`. */
const timeOf = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
