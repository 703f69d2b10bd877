import { documentEndings, imageEndings } from '@parley/contracts';

const mediaTypes: Readonly<Record<string, string>> = { ...documentEndings, ...imageEndings };
const endingOfType = new Map(
  Object.entries(mediaTypes)
    .toReversed()
    .map(([ending, type]) => [type, ending]),
);
/** Files of text that Parley reads as text. */
const codeEndings =
  /\.(?:c|cc|cfg|conf|cpp|cs|css|go|h|hpp|ini|ipynb|java|js|json|jsonl|jsx|kt|log|lua|mjs|php|pl|py|r|rb|rs|rst|scss|sh|sql|srt|swift|tex|toml|ts|tsv|tsx|vtt|xml|ya?ml)$/i;
const textTypes =
  /^(?:text\/|application\/(?:json|xml|javascript|x-(?:yaml|sh|python|sql|httpd-php)|sql|typescript)\b)/;

const endingIn = (name: string): string => /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? '';
export const hasEnding = (name: string): boolean => endingIn(name) !== '';

/**
 * The name with an ending that says what Parley reads the file as; null if it takes no such file, undefined if only the
 * content can tell.
 */
export function readableName(name: string, mediaType: string | null): string | null | undefined {
  const ending = endingIn(name);
  if (ending in mediaTypes) return name;
  if (codeEndings.test(name)) return `${name}.txt`;
  const type = mediaType?.split(';')[0]?.trim().toLowerCase() ?? '';
  const known = endingOfType.get(type);
  if (known !== undefined) return `${name.replace(/\.dat$/i, '')}.${known}`;
  if (textTypes.test(type)) return `${name}.txt`;
  if (ending === '' || ending === 'dat') return undefined;
  return null;
}

/** How much of a file tells its type. */
export const sniffedBytes = 4096;
const officeFolders: readonly (readonly [folder: string, ending: string])[] = [
  ['word/', 'docx'],
  ['xl/', 'xlsx'],
  ['ppt/', 'pptx'],
];
const beginnings: readonly (readonly [hex: string, ending: string])[] = [
  ['89504e470d0a1a0a', 'png'],
  ['ffd8ff', 'jpg'],
  ['47494638', 'gif'],
  ['255044462d', 'pdf'],
];

/** The ending for a file that begins with these bytes; null for what Parley doesn't read. */
export function sniffed(head: Buffer): string | null {
  const hex = head.toString('hex', 0, 8);
  const latin = head.toString('latin1');
  const known = beginnings.find(([beginning]) => hex.startsWith(beginning));
  if (known) return known[1];
  if (latin.startsWith('RIFF') && latin.slice(8, 12) === 'WEBP') return 'webp';
  if (/^ftypavi[fs]/.test(latin.slice(4, 12))) return 'avif';
  if (latin.startsWith('PK\u0003\u0004')) return officeFolders.find(([folder]) => latin.includes(folder))?.[1] ?? null;
  if (/^\s*(?:<!doctype html|<html)/i.test(latin)) return 'html';
  return isText(head) ? 'txt' : null;
}

function isText(head: Buffer): boolean {
  // The last character can be cut.
  const text = new TextDecoder().decode(head.length < sniffedBytes ? head : head.subarray(0, -3));
  return head.length > 0 && !/(?!\s)\p{Cc}/u.test(text) && !/\uFFFD./s.test(text);
}
