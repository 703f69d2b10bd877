import type { Readable } from 'node:stream';
import { isDamage } from './archive.ts';

/** One value of a JSON file: of the array that the file is, or else one of the objects that follow each other in it. */
export type JsonElement = {
  /** Null if it is too large or the file ends in it. */
  readonly bytes: Buffer | null;
  /** The beginning of it. */
  readonly head: Buffer;
  readonly problem: 'too-large' | 'damaged' | 'cut' | null;
};

export type JsonLimits = { readonly bytes: number; readonly depth: number; readonly containers: number };
/** A chat of 10,000 messages, nested in each other, has 20,000 levels. */
export const jsonLimits: JsonLimits = { bytes: 32 * 1024 ** 2, depth: 100_000, containers: 500_000 };
const headBytes = 64 * 1024;

export const bytesOfJson = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  colon: 0x3a,
  openArray: 0x5b,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;
const { quote, backslash, comma, openArray, closeArray, openObject, closeObject } = bytesOfJson;
export const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Where the elements begin, in a file like `{"conversations": […]}`. What is before them has to be short and plain.
 */
const wrapped =
  /^\s*\{(?:\s*"[^"\\]{0,100}"\s*:\s*(?:"[^"\\]{0,1000}"|-?[\d.eE+-]{1,30}|true|false|null)\s*,){0,20}\s*"conversations"\s*:\s*\[/;

/** Collects the bytes of one element, up to the limits. */
export class Collected {
  private parts: Buffer[] = [];
  private readonly beginning: Buffer[] = [];
  private bytes = 0;
  private containers = 0;
  private problem: JsonElement['problem'] = null;

  constructor(private readonly limits: JsonLimits) {}

  add(part: Buffer): void {
    if (this.bytes < headBytes) this.beginning.push(part.subarray(0, headBytes - this.bytes));
    this.bytes += part.length;
    if (this.bytes > this.limits.bytes) this.refuse('too-large');
    if (this.problem === null) this.parts.push(part);
  }

  opened(depth: number): void {
    this.containers += 1;
    if (depth > this.limits.depth) this.refuse('damaged');
    if (this.containers > this.limits.containers) this.refuse('too-large');
  }

  private refuse(problem: JsonElement['problem']): void {
    this.problem ??= problem;
    this.parts = [];
  }

  end(problem: JsonElement['problem'] = null): JsonElement {
    const found = problem ?? this.problem;
    return {
      bytes: found === null ? Buffer.concat(this.parts) : null,
      head: Buffer.concat(this.beginning),
      problem: found,
    };
  }
}

/**
 * Finds where elements begin and end by brackets and quotes alone, so that one that is no JSON costs only itself. UTF-8
 * needs no care here: all bytes that matter are ASCII.
 */
class Splitter {
  isDone = false;
  private depth = 0;
  /** The depth at which elements lie: 1 in an array, 0 if the file is one object. */
  private level = 0;
  private hasBegun = false;
  private isInString = false;
  private isEscaped = false;
  private element: Collected | null = null;

  constructor(private readonly limits: JsonLimits) {}

  /** Where in the first chunk the elements begin; null if the file is neither an array nor an object. */
  begin(chunk: Buffer): number | null {
    this.hasBegun = true;
    let at = chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
    while (at < chunk.length && isSpace(chunk[at] ?? 0)) at += 1;
    const wrapper = wrapped.exec(chunk.toString('latin1', at, at + 32_000));
    if (wrapper === null && chunk[at] === openObject) return at;
    if (wrapper === null && chunk[at] !== openArray) return null;
    this.depth = 1;
    this.level = 1;
    return at + (wrapper?.[0].length ?? 1);
  }

  *split(chunk: Buffer): Generator<JsonElement> {
    let at = 0;
    if (!this.hasBegun) {
      const begins = this.begin(chunk);
      if (begins === null) this.isDone = true;
      at = begins ?? chunk.length;
    }
    let start = this.element === null ? -1 : at;
    while (at < chunk.length && !this.isDone) {
      if (this.isInString) {
        at = this.afterString(chunk, at);
        continue;
      }
      const byte = chunk[at] ?? 0;
      at += 1;
      const isEnd = this.isEndOfElement(byte);
      if (isEnd && this.element !== null) {
        const closes = byte === closeArray || byte === closeObject;
        // A comma, or the bracket around all elements, is no part of the last one.
        const end = closes && this.depth === this.level && start >= 0 && !this.isDone ? at : at - 1;
        this.element.add(chunk.subarray(start, end));
        yield this.element.end();
        this.element = null;
        start = -1;
      } else if (!isEnd && this.element === null && !isSpace(byte) && byte !== comma) {
        // Behind one object can come more of them: JSON lines.
        if (this.level === 0 && byte !== openObject) {
          this.isDone = true;
          break;
        }
        this.element = new Collected(this.limits);
        start = at - 1;
      }
      if (byte === openArray || byte === openObject) this.element?.opened(this.depth);
    }
    if (this.element !== null && start >= 0) this.element.add(chunk.subarray(start));
  }

  /** What the file ends in, if it ends too early. */
  rest(): JsonElement | null {
    if (this.isDone || !this.hasBegun || (this.level === 0 && this.element === null)) return null;
    return (this.element ?? new Collected(this.limits)).end(this.level === 0 ? 'damaged' : 'cut');
  }

  private afterString(chunk: Buffer, from: number): number {
    let at = from;
    if (this.isEscaped) {
      this.isEscaped = false;
      at += 1;
    }
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === quote) {
        this.isInString = false;
        return at + 1;
      }
      if (byte === backslash) {
        at += 1;
        if (at >= chunk.length) this.isEscaped = true;
      }
    }
    return Math.min(at, chunk.length);
  }

  /** Follows quotes and brackets; true if an element ends with this byte or before it. */
  private isEndOfElement(byte: number): boolean {
    if (byte === quote) this.isInString = true;
    else if (byte === openArray || byte === openObject) this.depth += 1;
    else if (byte === comma) return this.depth === this.level;
    else if (byte === closeArray || byte === closeObject) {
      if (this.depth === this.level) {
        this.isDone = true;
        return true;
      }
      this.depth -= 1;
      return this.depth === this.level;
    }
    return false;
  }
}

/** Says that nothing more of a file can be read. */
export const cutElement: JsonElement = { bytes: null, head: Buffer.alloc(0), problem: 'cut' };

const beginningBytes = 4096;
/** The first chunk is large enough to tell what the file is. */
export async function* fromBeginning(content: Readable): AsyncGenerator<Buffer> {
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
 * that follow each other in it. Yields nothing for what is no JSON. Memory is bounded by the largest element. A file that ends too
 * early or is damaged ends with an element that is `cut`, or `damaged` where only this element is.
 */
export async function* elementsOf(content: Readable, limits: JsonLimits = jsonLimits): AsyncGenerator<JsonElement> {
  const splitter = new Splitter(limits);
  let isDamaged = false;
  try {
    for await (const chunk of fromBeginning(content)) {
      yield* splitter.split(chunk);
      if (splitter.isDone) return;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    isDamaged = true;
  }
  const rest = splitter.rest() ?? (isDamaged ? cutElement : null);
  if (rest) yield rest;
}

const decoder = new TextDecoder();
/** The value of an element; undefined if it is no JSON. Invalid UTF-8 becomes U+FFFD. */
export function valueOf({ bytes }: JsonElement): unknown {
  if (bytes === null) return undefined;
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

const topLevelText = /"(?:[^"\\]|\\.)*"/y;
/** The texts at the first level of an object of which only the beginning is known, by their keys. */
export function headTexts(head: Buffer): ReadonlyMap<string, string> {
  const text = decoder.decode(head);
  const found = new Map<string, string>();
  let depth = 0;
  let key: string | null = null;
  let last: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') {
      topLevelText.lastIndex = at;
      const literal = topLevelText.exec(text)?.[0];
      if (literal === undefined) break;
      at += literal.length - 1;
      if (depth !== 1) continue;
      last = parsedText(literal);
      if (key !== null && last !== null) found.set(key, last);
      key = null;
    } else if (sign === ':' && depth === 1) key = last;
    else if (sign === ',' && depth === 1) key = null;
    else if (sign === '{' || sign === '[') {
      // The key of an object or a list has no text, but says what the object is.
      if (depth === 1 && key !== null) found.set(key, '');
      key = null;
      depth += 1;
    } else if (sign === '}' || sign === ']') depth -= 1;
  }
  return found;
}

function parsedText(literal: string): string | null {
  try {
    return String(JSON.parse(literal));
  } catch {
    return null;
  }
}
