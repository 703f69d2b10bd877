import { createHash } from 'node:crypto';

/** Removes what no text can hold: halves of surrogate pairs and control characters except tab and line feed. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\t\n])[\p{Cc}\p{Cs}]/gu, '')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}

/** Cuts between characters. */
export function cutText(text: string, most: number): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= most) return { text, isCut: false };
  const isPair = /[\uD800-\uDBFF]/.test(text[most - 1] ?? '');
  return { text: text.slice(0, isPair ? most - 1 : most), isCut: true };
}

const turnsDirection = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
/** One line, without what changes how the lines around it are shown. */
export const cleanLine = (text: string, most: number): string =>
  cutText(
    text
      .slice(0, 10 * most)
      .replaceAll(/[\p{Cs}\p{Cc}\s]+/gu, ' ')
      .replaceAll(turnsDirection, '')
      .trim(),
    most,
  ).text.trim();

export const mostTextLength = 200_000;
export const mostTitleLength = 200;
export const mostModelLength = 100;
/** Also of other names in an export. */
export const mostProjectNameLength = 100;
const mostIdLength = 128;

export const hashOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32);
/** An id of the source as it is stored. */
export const cleanId = (id: string): string =>
  id.length > mostIdLength || !id.isWellFormed() ? hashOf(id.toWellFormed()) : id;

/** A file name without folders, of at most 200 characters. */
export function cleanFileName(name: string): string {
  const [last = ''] = name.split(/[\\/]/).slice(-1);
  const line = cleanLine(last, 1_000);
  if (line.length <= 200) return line;
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(line)?.[0] ?? '';
  return cutText(line, 200 - ending.length).text + ending;
}

const fence = (text: string): string => {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length);
  return '`'.repeat(longest + 1);
};
/** Code as a fenced block, also if it has fences itself. */
export function fenced(code: string, language: string | null): string {
  const mark = fence(code);
  const word = /^[\w+#.-]{1,30}$/.exec(language ?? '')?.[0] ?? '';
  return `${mark}${word === 'unknown' ? '' : word}\n${code.trimEnd()}\n${mark}`;
}

/** A link that is safe to show, or null. */
export function webAddress(address: string | null): string | null {
  if (address === null || address.length > 2_000 || !/^https?:\/\//i.test(address)) return null;
  try {
    return new URL(address).href.replaceAll(/[()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  } catch {
    return null;
  }
}
export const markdownLink = (title: string | null, address: string): string => {
  const words = cleanLine(title ?? '', 120).replaceAll(/[[\]\\`*_<>]/g, '\\$&');
  return `[${words || new URL(address).hostname}](${address})`;
};

const detailsTag = /<details\b([^<>]{0,4000})>|<\/details>/gi;
const hiddenDetails = /\btype\s*=\s*["']?(?:reasoning|tool_calls|code_interpreter)\b/i;
/** Removes reasoning and tool calls of Open WebUI, with everything nested in them; without an end, up to the end. */
export function withoutHiddenDetails(text: string): string {
  if (!/<details/i.test(text)) return text;
  let kept = '';
  let from = 0;
  let depth = 0;
  for (const { index, 0: tag, 1: attributes } of text.matchAll(detailsTag)) {
    if (depth === 0) {
      if (attributes === undefined || !hiddenDetails.test(attributes)) continue;
      kept += text.slice(from, index);
      depth = 1;
    } else depth += attributes === undefined ? -1 : 1;
    if (depth === 0) from = index + tag.length;
  }
  return depth > 0 ? kept : kept + text.slice(from);
}
