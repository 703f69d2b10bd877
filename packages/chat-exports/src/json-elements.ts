import type { Readable } from 'node:stream';
import { isDamage, type ExportFile } from './archive.ts';
import { JsonSplitter, type JsonElement, type JsonLimits, type JsonPart } from './json-splitter.ts';

export type { JsonElement, JsonLimits } from './json-splitter.ts';

/** A chat of 10,000 messages, nested in each other, has 20,000 levels. */
const jsonLimits: JsonLimits = { bytes: 32 * 1024 ** 2, depth: 100_000, containers: 500_000 };

/** Says that nothing more of a file can be read. */
export const cutElement: JsonElement = { bytes: null, head: Buffer.alloc(0), problem: 'cut' };

const beginningBytes = 4096;
/** The first chunk is large enough to tell what the file is. */
async function* fromBeginning(content: Readable): AsyncGenerator<Buffer> {
  let beginning: Buffer | null = Buffer.alloc(0);
  for await (const chunk of content as AsyncIterable<Buffer>) {
    if (beginning === null) yield chunk;
    else {
      beginning = Buffer.concat([beginning, chunk]);
      if (beginning.length < beginningBytes) continue;
      yield beginning;
      beginning = null;
    }
  }
  if (beginning !== null && beginning.length > 0) yield beginning;
}

/**
 * Reads a JSON file one element at a time: those of the array that it is, or of `conversations` in its object, or the objects
 * that follow each other in it. Yields nothing for what is no JSON. With `list`, each item of the list that an element has under
 * this key comes before the element and apart from it. Memory is bounded by the largest of both. A file that ends too early or is
 * damaged ends with an element that is `cut`, or `damaged` where only this element is.
 */
export async function* partsOf(
  file: Pick<ExportFile, 'open'>,
  { list = null, limits = jsonLimits }: { readonly list?: string | null; readonly limits?: JsonLimits } = {},
): AsyncGenerator<JsonPart> {
  const splitter = new JsonSplitter(limits, list);
  let isDamaged = false;
  try {
    for await (const chunk of fromBeginning(await file.open())) {
      yield* splitter.split(chunk);
      if (splitter.isDone) return;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    isDamaged = true;
  }
  const rest = splitter.rest() ?? (isDamaged ? cutElement : null);
  if (rest) yield { at: -1, isItem: false, element: rest };
}

/** As `partsOf`, whole elements only. */
export async function* elementsOf(...given: Parameters<typeof partsOf>): AsyncGenerator<JsonElement> {
  for await (const { element } of partsOf(...given)) yield element;
}

const decoder = new TextDecoder();
/** The value of an element; undefined if it is no JSON. Invalid UTF-8 becomes U+FFFD. */
export function valueOf({ bytes }: Pick<JsonElement, 'bytes'>): unknown {
  return bytes === null ? undefined : parsed(decoder.decode(bytes));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,"]/g;
/** The texts at the first level of an object of which only the beginning is known, by their keys. */
export function headTexts(head: Buffer): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let depth = 0;
  let key: string | null = null;
  let last: string | null = null;
  for (const [token] of decoder.decode(head).matchAll(tokens)) {
    // Stops: the beginning was cut inside this text.
    if (token === '"') break;
    if ('{['.includes(token)) {
      // The key of an object or a list has no text, but says what the object is.
      if (depth === 1 && key !== null) found.set(key, '');
      key = null;
      depth += 1;
    } else if ('}]'.includes(token)) depth -= 1;
    else if (depth !== 1) continue;
    else if (token === ':') key = last;
    else if (token === ',') key = null;
    else {
      const text = parsed(token);
      last = typeof text === 'string' ? text : null;
      if (key !== null && last !== null) found.set(key, last);
      key = null;
    }
  }
  return found;
}
