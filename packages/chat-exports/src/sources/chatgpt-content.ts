import { cleanText, fenced } from '../cleaning.ts';
import type { ChatNode, FileRef, NodeLoss } from '../chat-node.ts';
import { withLinks } from './chatgpt-citations.ts';
import { chatGptPart, fileIdIn, type ChatGptMessage } from './chatgpt-fields.ts';

export type NodeContent = Pick<ChatNode, 'role' | 'text' | 'files' | 'losses'>;
const hidden: NodeContent = { role: null, text: '', files: [], losses: [] };

/** Tools whose images are pages that the model looked at, not pictures that a person sees. */
const lookingTools = /^(?:file_search|myfiles|browser|web|computer|container|canmore|bio)\b/;

type Parts = { readonly texts: string[]; readonly files: FileRef[] };
type Attachments = ReadonlyMap<string | null, { readonly name: string | null; readonly mime_type: string | null }>;
const namesOf = ({ metadata }: ChatGptMessage): Attachments =>
  new Map(metadata?.attachments.map((each) => [each.id, each]));
const imageRef = (pointer: string, attachments: Attachments): FileRef[] => {
  const id = fileIdIn(pointer);
  if (id === null) return [];
  const known = attachments.get(id);
  return [{ name: known?.name ?? 'image', mediaType: known?.mime_type ?? null, ids: [id], content: null }];
};

function partsOf(message: ChatGptMessage): Parts {
  const found: Parts = { texts: [], files: [] };
  const attachments = namesOf(message);
  for (const given of message.content?.parts ?? []) {
    if (typeof given === 'string') {
      found.texts.push(given);
      continue;
    }
    const part = chatGptPart.safeParse(given).data;
    if (!part) continue;
    if (part.content_type === 'audio_transcription') found.texts.push(part.text ?? '');
    const audio = part.audio_asset_pointer?.asset_pointer ?? null;
    if (part.content_type === 'image_asset_pointer')
      found.files.push(...imageRef(part.asset_pointer ?? '', attachments));
    else if (part.asset_pointer !== null || audio !== null)
      found.files.push(
        ...imageRef(audio ?? part.asset_pointer ?? '', attachments).map((ref) => ({ ...ref, name: 'audio' })),
      );
  }
  return found;
}

const attachmentsOf = ({ metadata }: ChatGptMessage): FileRef[] =>
  (metadata?.attachments ?? []).map(({ id, name, mime_type }) => ({
    name: name ?? 'file',
    mediaType: mime_type,
    ids: id === null ? [] : [fileIdIn(id) ?? id],
    content: null,
  }));

/** Each file once: a picture is both a part of its message and an attachment. */
export function distinct(files: readonly FileRef[]): FileRef[] {
  const byKey = new Map<string, FileRef>();
  for (const file of files) {
    const key = file.ids[0] ?? `name:${file.name}`;
    if (!byKey.has(key)) byKey.set(key, file);
  }
  return [...byKey.values()];
}

const writingBlock = /^:::writing\{([^}\n]*)\}[ \t]*\n?/gm;
/** A document that is written into the text: its subject as a heading, without the marks around it. */
function withoutWritingBlocks(text: string): string {
  if (!text.includes(':::writing')) return text;
  return text
    .replaceAll(writingBlock, (_mark, attributes: string) => {
      const subject = /\bsubject="([^"]*)"/.exec(attributes)?.[1];
      return subject ? `**${subject}**\n\n` : '';
    })
    .replaceAll(/^:::[ \t]*$/gm, '');
}

const sandboxLink = /\[([^[\]\n]{0,500})\]\(sandbox:([^()[\]\s]{1,500})\)/g;
/** Links to files that the assistant wrote for download lead nowhere. */
function withoutSandboxLinks(text: string, losses: NodeLoss[]): string {
  return text.replaceAll(sandboxLink, (_link, label: string, path: string) => {
    losses.push({ what: 'file-not-in-export', name: path.split('/').at(-1) ?? null });
    return label;
  });
}

const unknownCanvas: NodeLoss = { what: 'canvas-incomplete', name: null };
/** A canvas document is in the call that made it; what was changed later is often cut off. */
function canvasOf(message: ChatGptMessage): NodeContent {
  const incomplete: NodeContent = { ...hidden, losses: [unknownCanvas] };
  const json = message.content?.text ?? message.content?.parts.find((part) => typeof part === 'string');
  let call: unknown;
  try {
    call = JSON.parse(String(json));
  } catch {
    return incomplete;
  }
  const { name, type, content, updates } = (call ?? {}) as Readonly<Record<string, unknown>>;
  const replaced: unknown = Array.isArray(updates) && updates.length === 1 ? updates[0] : null;
  const { pattern, replacement } = (replaced ?? {}) as Readonly<Record<string, unknown>>;
  const document = pattern === '.*' ? replacement : content;
  if (typeof document !== 'string') return incomplete;
  const language = typeof type === 'string' && type.startsWith('code') ? type.slice('code/'.length) : null;
  const title = typeof name === 'string' ? `**${name}**\n\n` : '';
  const text = cleanText(title + (language === null ? document : fenced(document, language)));
  return { role: 'assistant', text, files: [], losses: [] };
}

function ofTool(message: ChatGptMessage): NodeContent {
  if (lookingTools.test(message.author?.name ?? '')) return hidden;
  const drawn = (message.metadata?.aggregate_result?.messages ?? []).flatMap(({ message_type, image_url }) =>
    message_type === 'image' ? imageRef(image_url ?? '', new Map()) : [],
  );
  const files = distinct([...partsOf(message).files, ...drawn]);
  return files.length === 0 ? hidden : { role: 'assistant', text: '', files, losses: [] };
}

/** What a message shows a person. */
export function contentOf(message: ChatGptMessage): NodeContent {
  const { metadata, content, author, channel } = message;
  const recipient = message.recipient ?? 'all';
  if (metadata?.is_visually_hidden_from_conversation || metadata?.is_user_system_message) return hidden;
  if (author?.role === 'assistant' && /^canmore\.(?:create|update)_textdoc$/.test(recipient)) return canvasOf(message);
  if (recipient !== 'all' || channel === 'analysis') return hidden;
  if (author?.role === 'tool') return ofTool(message);
  if (author?.role !== 'user' && author?.role !== 'assistant') return hidden;
  const role = author.role === 'user' ? 'person' : 'assistant';
  const type = content?.content_type ?? 'text';
  if (type === 'code') {
    const code = content?.text ?? '';
    return {
      role,
      text: code.trim() === '' ? '' : cleanText(fenced(code, content?.language ?? null)),
      files: [],
      losses: [],
    };
  }
  if (type !== 'text' && type !== 'multimodal_text') return hidden;
  const parts = partsOf(message);
  const losses: NodeLoss[] = [];
  const raw = parts.texts.filter((each) => each.trim() !== '').join('\n\n');
  const text = withoutSandboxLinks(withoutWritingBlocks(withLinks(raw, metadata)), losses);
  return { role, text: cleanText(text), files: distinct([...parts.files, ...attachmentsOf(message)]), losses };
}
