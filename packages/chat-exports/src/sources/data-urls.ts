import type { FileRef } from '../chat-node.ts';
import { cleanFileName } from '../cleaning.ts';

const start = /^data:(image\/[a-z+.-]{1,20});base64,/i;
const endings: Readonly<Record<string, string>> = { jpeg: 'jpg', 'svg+xml': 'svg' };

/** The picture of a data URL; empty if it is none. */
export function dataUrlFile(url: string, called: string): FileRef[] {
  const [prefix, mediaType] = start.exec(url.slice(0, 100)) ?? [];
  if (prefix === undefined || mediaType === undefined) return [];
  const kind = mediaType.slice('image/'.length).toLowerCase();
  const name = cleanFileName(called) || 'image';
  return [
    {
      name: /\.[a-z]{3,4}$/i.test(name) ? name : `${name}.${endings[kind] ?? kind}`,
      mediaType: mediaType.toLowerCase(),
      ids: [],
      content: Buffer.from(url.slice(prefix.length), 'base64'),
    },
  ];
}

/** Takes pictures that are written into a text as Markdown out of it. */
export function withoutDataUrls(text: string): { readonly text: string; readonly files: FileRef[] } {
  if (!text.includes('](data:image/')) return { text, files: [] };
  const files: FileRef[] = [];
  let kept = '';
  let from = 0;
  for (let at = text.indexOf('](data:image/'); at >= 0; at = text.indexOf('](data:image/', from)) {
    const closes = text.indexOf(')', at);
    if (closes < 0) break;
    const before = Math.max(from, at - 500);
    const opens = before + text.slice(before, at).lastIndexOf('![');
    const [file] = opens >= before ? dataUrlFile(text.slice(at + 2, closes), text.slice(opens + 2, at)) : [];
    const end = file ? closes + 1 : at + 2;
    kept += text.slice(from, file ? opens : end);
    if (file) files.push(file);
    from = end;
  }
  return { text: kept + text.slice(from), files };
}
