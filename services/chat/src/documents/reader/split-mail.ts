// Runs inside the reader process: no decorators or parameter properties here, Node strips the types itself.
import parseMail, { type Address, type Attachment } from 'postal-mime';
import { splitHtml } from './split-html.ts';
import { headingOf, splitPlainText, type Block } from './split-passages.ts';
import { Unreadable } from './unreadable.ts';

/** Mails within mails, and parts within parts: what a person sends has a handful. */
const deepest = 20;

/** Of those that a person can read; the rest of them are named. */
const mostAttachments = 10;
const mostAttachedBytes = 10_000_000;
const longestName = 200;
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

type Split = (content: Uint8Array<ArrayBuffer>, mediaType: string) => Promise<Block[]>;

/** A mail under its subject: who, to whom and when, what it says, the names of what is attached, and what that says. */
export async function splitMail(content: Uint8Array, split: Split): Promise<Block[]> {
  const { subject, from, to, cc, date, html, text, attachments } = await parsed(content);
  const title = subject?.trim() ?? '';
  const names = attachments.flatMap(({ filename }) => filename ?? []);
  const head = [
    named('From', from && [from]),
    named('To', to),
    named('Cc', cc),
    date ? `Date: ${date.slice(0, 16).replace('T', ' ')}` : '',
    names.length > 0 ? `Attachments: ${names.slice(0, 50).join(', ')}` : '',
  ].filter(Boolean);
  const body = html ? splitHtml(html) : splitPlainText(text ?? '');
  if (body.length === 0 && head.length === 0) throw new Unreadable('damaged');
  const under = body.map((block) => ({ ...block, heading: headingOf([title, block.heading ?? '']) }));
  const first = head.length === 0 ? [] : [{ heading: headingOf([title]), text: head.join('\n') }];
  return [...first, ...under, ...(await attached(attachments, { title, split }))];
}

/** What cannot be read is named only: the mail is there. */
async function attached(all: readonly Attachment[], { title, split }: { title: string; split: Split }) {
  const blocks: Block[] = [];
  const readable = all.flatMap(({ filename, content }, at) => {
    const mediaType = attachmentTypes[/\.([a-z]+)$/i.exec(filename ?? '')?.[1]?.toLowerCase() ?? ''];
    const isFit = content instanceof ArrayBuffer && content.byteLength <= mostAttachedBytes;
    return filename && mediaType && isFit ? [{ filename, mediaType, content, number: at + 1 }] : [];
  });
  for (const { filename, mediaType, content, number } of readable.slice(0, mostAttachments)) {
    const attachment = filename.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').slice(0, longestName);
    const found = await split(new Uint8Array(content), mediaType).catch((error: unknown) => {
      if (error instanceof Unreadable) return [];
      throw error;
    });
    for (const { heading, text, place = { kind: 'attachment' as const, number } } of found)
      blocks.push({ heading: headingOf([title, heading ?? '']), text, place: { ...place, attachment } });
  }
  return blocks;
}

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
