// Runs inside the reader process: no decorators or parameter properties here, Node strips the types itself.
import parseMail, { type Address } from 'postal-mime';
import { splitHtml } from './split-html.ts';
import { headingOf, splitPlainText, type Block } from './split-passages.ts';
import { Unreadable } from './unreadable.ts';

/** Mails within mails, and parts within parts: what a person sends has a handful. */
const deepest = 20;

/** A mail under its subject: who, to whom and when, what it says, and the names of what is attached. */
export async function splitMail(content: Uint8Array): Promise<Block[]> {
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
  return head.length === 0 ? under : [{ heading: headingOf([title]), text: head.join('\n') }, ...under];
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
