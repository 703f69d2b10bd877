import { z } from 'zod';
import { cleanFileName, cleanText, fenced, markdownLink, webAddress } from '../cleaning.ts';
import type { FileRef, NodeLoss } from '../chat-node.ts';
import { listOf, objectOf, text } from '../json-fields.ts';

const citation = z.object({
  end_index: z.number().catch(-1),
  details: objectOf({ url: text, title: text }),
  url: text,
  title: text,
});
const block = z.object({
  type: text,
  text,
  citations: listOf(citation),
  name: text,
  input: objectOf({ command: text, title: text, type: text, language: text, content: text }),
  content: listOf(z.object({ type: text, name: text, file_path: text })),
});
type Block = z.infer<typeof block>;
export const claudeMessage = z.object({
  text,
  content: z.unknown().optional(),
  attachments: listOf(z.object({ file_name: text, file_type: text, extracted_content: text })),
  files: listOf(z.object({ file_name: text })),
});
type ClaudeMessage = z.infer<typeof claudeMessage>;

/** The blocks of a message; some exports hold them as a JSON text. */
function blocksOf(content: unknown): Block[] {
  if (typeof content !== 'string') return listOf(block).parse(content);
  try {
    return listOf(block).parse(JSON.parse(content));
  } catch {
    return [];
  }
}

const notSupported = /(?:```\n)?This block is not supported on your current device yet\.(?:\n```)?/g;

/** Links after what they support; where a position is inside of a word, it is not to be trusted, and they follow the text. */
function withLinks({ text: given, citations }: Block): string {
  const linked = given ?? '';
  const links = new Map<string, number>();
  for (const { details, url, title, end_index: end } of citations) {
    const address = webAddress(details?.url ?? url);
    if (address === null) continue;
    const isBetweenWords = end > 0 && end <= linked.length && !/^[\p{L}\p{N}]{2}/u.test(linked.slice(end - 1, end + 1));
    links.set(markdownLink(details?.title ?? title, address), isBetweenWords ? end : linked.length);
  }
  let from = 0;
  const pieces: string[] = [];
  for (const [link, end] of [...links].toSorted(([, one], [, other]) => one - other)) {
    pieces.push(linked.slice(from, end), ` (${link})`);
    from = end;
  }
  return pieces.join('') + linked.slice(from);
}

const languages: Readonly<Record<string, string | null>> = {
  'text/markdown': null,
  'application/vnd.ant.code': '',
  'text/html': 'html',
  'image/svg+xml': 'svg',
  'application/vnd.ant.react': 'jsx',
  'application/vnd.ant.mermaid': 'mermaid',
};
/** An artifact is in the call that wrote it; changes of it are in pieces that say too little alone. */
function artifactOf({ input }: Block, losses: NodeLoss[]): string {
  const { command, title, type, language, content } = input ?? { command: null, content: null };
  if (content === null || command === 'update') {
    losses.push({ what: 'canvas-incomplete', name: title ?? null });
    return '';
  }
  const known = languages[type ?? ''];
  const body = known === null ? content : fenced(content, language ?? known ?? null);
  return title ? `**${title}**\n\n${body}` : body;
}

function textOf(block: Block, losses: NodeLoss[]): string {
  if (block.type === 'text') return withLinks(block);
  if (block.type === 'voice_note') return block.text ?? '';
  if (block.type === 'tool_use' && block.name === 'artifacts') return artifactOf(block, losses);
  if (block.type === 'tool_result')
    for (const { type, name, file_path } of block.content)
      if (type === 'local_resource' || type === 'image')
        losses.push({ what: 'file-not-in-export', name: cleanFileName(file_path ?? name ?? 'image') });
  return '';
}

const textEndings = /\.(?:md|markdown|txt|text|csv|html?|eml)$/i;
/** Returns the name of a file whose text alone is in the export, with an ending that says so. */
export function nameOfText(given: string | null, otherwise: string): string {
  const name = cleanFileName(given ?? '') || otherwise;
  return textEndings.test(name) ? name : `${name}.txt`;
}

/** The text of an attachment, which is all that the export holds of it. */
function attachedText({ file_name, extracted_content }: ClaudeMessage['attachments'][number]): FileRef[] {
  if (extracted_content === null || extracted_content.trim() === '') return [];
  const name = nameOfText(file_name, 'Pasted text');
  return [{ name, mediaType: null, ids: [], content: Buffer.from(extracted_content.toWellFormed()) }];
}

/** The text of a message as people see it, and the texts of its attachments as files. */
export function contentOf(message: ClaudeMessage): {
  readonly text: string;
  readonly files: FileRef[];
  readonly losses: NodeLoss[];
} {
  const losses: NodeLoss[] = [];
  const blocks = blocksOf(message.content);
  const raw =
    blocks.length > 0
      ? blocks
          .map((each) => textOf(each, losses))
          .filter((each) => each.trim() !== '')
          .join('\n\n')
      : (message.text ?? '').replaceAll(notSupported, '');
  const files = message.attachments.flatMap(attachedText);
  const kept = new Set(
    message.attachments.filter((each) => attachedText(each).length > 0).map((each) => each.file_name),
  );
  const named = [...message.attachments, ...message.files].map(({ file_name }) => file_name);
  for (const name of new Set(named))
    if (!kept.has(name)) losses.push({ what: 'file-not-in-export', name: name === null ? null : cleanFileName(name) });
  return { text: cleanText(raw), files, losses };
}
