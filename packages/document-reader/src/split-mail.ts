// Runs inside the reader process: no decorators or parameter properties here, Node strips the types itself.
import parseMail, { type Address, type Attachment } from 'postal-mime';
import { splitHtml } from './split-html.ts';
import { splitPlainText, type Block } from './split-passages.ts';
import { Unreadable, type Unread } from './unreadable.ts';

/** Mails within mails, and parts within parts: what a person sends has a handful. */
const deepest = 20;

/** Of those that a person can read; the rest of them are named. */
const mostAttachments = 10;
const mostAttachedBytes = 10_000_000;
const longestName = 200;
const mostNamed = 50;
const office = 'application/vnd.openxmlformats-officedocument.';
/** What is read of attachments, by the endings of their names. Mails are not: nothing is read within what is attached. */
export const attachmentTypes: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: `${office}wordprocessingml.document`,
  xlsx: `${office}spreadsheetml.sheet`,
  pptx: `${office}presentationml.presentation`,
  csv: 'text/csv',
  html: 'text/html',
  htm: 'text/html',
  md: 'text/markdown',
  markdown: 'text/markdown',
  txt: 'text/plain',
  text: 'text/plain',
};

type Reading = {
  readonly split: (content: Uint8Array<ArrayBuffer>, mediaType: string) => Promise<Block[]>;
  /** Of what is attached and cannot be read. */
  readonly onUnread: (one: Unread) => void;
};

/** A mail under its subject: who, to whom and when, what it says, the names of what is attached, and what that says. */
export async function splitMail(content: Uint8Array, reading: Reading): Promise<Block[]> {
  const { subject, from, to, cc, date, html, text, attachments } = await parsed(content);
  const title = subject?.trim() ?? '';
  const names = attachments.flatMap(({ filename }) => filename ?? []);
  const head = [
    named('From', from && [from]),
    named('To', to),
    named('Cc', cc),
    date ? `Date: ${date.slice(0, 16).replace('T', ' ')}` : '',
    names.length > 0 ? `Attachments: ${names.slice(0, mostNamed).join(', ')}` : '',
  ].filter(Boolean);
  const body = html ? splitHtml(html) : splitPlainText(text ?? '');
  if (body.length === 0 && head.length === 0) throw new Unreadable('damaged');
  const under = body.map((block) => ({ ...block, titles: [title, ...block.titles] }));
  const first = head.length === 0 ? [] : [{ titles: [title], text: head.join('\n') }];
  return [...first, ...under, ...(await attached(attachments, { title, ...reading }))];
}

/** What cannot be read is told and named only: the mail is there. */
async function attached(
  all: readonly Attachment[],
  { title, split, onUnread }: Reading & { readonly title: string },
): Promise<Block[]> {
  const blocks: Block[] = [];
  let [begun, told] = [0, 0];
  const tell = (name: string, flaw: Unread['flaw']): void => {
    told += 1;
    if (told <= mostNamed) onUnread({ name, flaw });
  };
  for (const [at, { filename, content, ...one }] of all.entries()) {
    if (!filename) continue;
    const name = filename.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').slice(0, longestName);
    const mediaType = attachmentTypes[/\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''];
    if (!mediaType || !(content instanceof ArrayBuffer)) {
      if (!isPictureInText(one)) tell(name, 'kind-not-read');
    } else if (content.byteLength > mostAttachedBytes) tell(name, 'too-large');
    else if (begun >= mostAttachments) tell(name, 'beyond-most');
    else {
      begun += 1;
      const found = await split(new Uint8Array(content), mediaType).catch((error: unknown) => {
        if (error instanceof Unreadable) return error.flaw;
        throw error;
      });
      if (typeof found === 'string' || found.length === 0) {
        tell(name, typeof found === 'string' ? found : 'no-text');
        continue;
      }
      const place = { kind: 'attachment' as const, number: at + 1 };
      for (const { titles, text, place: own = place } of found)
        blocks.push({ titles: [title, ...titles], text, place: { ...own, attachment: name } });
    }
  }
  return blocks;
}

/** A logo below a signature, say: nobody attached it to be read. */
const isPictureInText = ({ mimeType, disposition, related }: Omit<Attachment, 'filename' | 'content'>): boolean =>
  mimeType.startsWith('image/') && (related === true || disposition === 'inline');

async function parsed(content: Uint8Array) {
  try {
    return await parseMail.parse(content, { maxNestingDepth: deepest, attachmentEncoding: 'arraybuffer' });
  } catch (error) {
    throw new Unreadable(error instanceof Error && /nesting/i.test(error.message) ? 'nested-too-deep' : 'damaged');
  }
}

const named = (field: string, people: readonly Address[] = []): string => {
  const names = people.slice(0, 50).map(({ name, address }) => [name, address].filter(Boolean).join(' '));
  return names.length > 0 ? `${field}: ${names.join(', ')}` : '';
};
