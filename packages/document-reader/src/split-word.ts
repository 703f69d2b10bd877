// Runs inside the reader process: no decorators or parameter properties here, Node strips the types itself.
import mammoth from 'mammoth/mammoth.browser.js';
import { splitHtml } from './split-html.ts';
import type { Block } from './split-passages.ts';
import { packed, unpack } from './unpack.ts';
import { Unreadable } from './unreadable.ts';

const options = {
  styleMap: ["p[style-name='Title'] => h1:fresh"],
  convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
};

/** The text of a DOCX under its headings, tables as tables. It has no pages: where one ends is up to who prints it. */
export async function splitWord(content: Uint8Array): Promise<Block[]> {
  const parts = unpack(content);
  try {
    const { value } = await mammoth.convertToHtml({ arrayBuffer: packed(parts) }, options);
    return splitHtml(value);
  } catch {
    throw new Unreadable('damaged');
  }
}
