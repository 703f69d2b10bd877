import type { ExportFile } from './archive.ts';
import { isDamage } from './archive.ts';
import { bytesOfJson, Collected, fromBeginning, isSpace, jsonLimits, type JsonElement } from './json-elements.ts';

/** An object of a JSON file without the items of one of its lists, or one of these items. */
export type JsonPart = {
  /** Numbers the object, from 0. Its items come before it. */
  readonly at: number;
  readonly isItem: boolean;
  readonly element: JsonElement;
};

/** An item can be a text of 50 MB with a third of its characters escaped. */
const itemLimits = { ...jsonLimits, bytes: 64 * 1024 ** 2 };
const mostKeyLength = 20;
const { quote, backslash, comma, colon, openArray, closeArray, openObject, closeObject } = bytesOfJson;

/** Follows quotes and brackets as the reader of elements does, and collects the items of a list apart from their object. */
class PartSplitter {
  isDone = false;
  private depth = 0;
  /** The depth at which objects lie: 1 in an array, 0 if the file is one object. */
  private level = 0;
  private hasBegun = false;
  private isInString = false;
  private isEscaped = false;
  /** The text at the first level of the object that was read last, and the one that is a key. */
  private text = '';
  private key = '';
  private isInList = false;
  private at = -1;
  private object: Collected | null = null;
  private item: Collected | null = null;
  private into: Collected | null = null;
  /** The place in the chunk where uncollected text begins. */
  private from = 0;

  constructor(private readonly list: string) {}

  *split(chunk: Buffer): Generator<JsonPart> {
    this.from = 0;
    let at = this.hasBegun ? 0 : this.begin(chunk);
    while (at < chunk.length && !this.isDone) {
      if (this.isInString) {
        at = this.afterString(chunk, at);
        continue;
      }
      const byte = chunk[at];
      if (byte === quote) {
        this.isInString = true;
        if (this.isBetweenFields) this.text = '';
      } else if (byte === openObject || byte === openArray) this.open(chunk, at);
      else if (byte === closeObject || byte === closeArray) yield* this.close(chunk, at);
      else if (this.isBetweenFields && byte === colon) this.key = this.text;
      else if (this.isBetweenFields && byte === comma) this.key = '';
      at += 1;
    }
    this.into?.add(chunk.subarray(this.from));
  }

  private begin(chunk: Buffer): number {
    this.hasBegun = true;
    let at = chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
    while (at < chunk.length && isSpace(chunk[at] ?? 0)) at += 1;
    if (chunk[at] !== openArray) {
      this.isDone = chunk[at] !== openObject;
      return at;
    }
    this.depth = 1;
    this.level = 1;
    return at + 1;
  }

  private get isBetweenFields(): boolean {
    return this.depth === this.level + 1 && !this.isInList;
  }

  private open(chunk: Buffer, at: number): void {
    const inside = this.depth - this.level;
    if (inside === 0) {
      this.at += 1;
      this.object = new Collected(jsonLimits);
      this.turnTo(this.object, chunk, at);
    } else if (this.isBetweenFields && chunk[at] === openArray && this.key === this.list) {
      this.isInList = true;
      this.turnTo(null, chunk, at + 1);
    } else if (this.isInList && inside === 2) {
      this.item = new Collected(itemLimits);
      this.turnTo(this.item, chunk, at);
    }
    this.depth += 1;
    this.into?.opened(this.depth);
  }

  private *close(chunk: Buffer, at: number): Generator<JsonPart> {
    if (this.depth === this.level) {
      this.isDone = true;
      return;
    }
    this.depth -= 1;
    const inside = this.depth - this.level;
    if (this.isInList && inside === 2 && this.item) {
      this.turnTo(null, chunk, at + 1);
      yield { at: this.at, isItem: true, element: this.item.end() };
      this.item = null;
    } else if (this.isInList && inside === 1) {
      this.isInList = false;
      this.turnTo(this.object, chunk, at);
    } else if (inside === 0 && this.object) {
      this.turnTo(null, chunk, at + 1);
      yield { at: this.at, isItem: false, element: this.object.end() };
      this.object = null;
    }
  }

  private turnTo(next: Collected | null, chunk: Buffer, at: number): void {
    this.into?.add(chunk.subarray(this.from, at));
    this.into = next;
    this.from = at;
  }

  private afterString(chunk: Buffer, from: number): number {
    let at = this.isEscaped ? from + 1 : from;
    this.isEscaped = false;
    while (at < chunk.length && chunk[at] !== quote) {
      this.isEscaped = chunk[at] === backslash && at + 1 === chunk.length;
      at += chunk[at] === backslash ? 2 : 1;
    }
    const end = Math.min(at, chunk.length);
    if (this.isBetweenFields && this.text.length < mostKeyLength)
      this.text += chunk.toString('latin1', from, Math.min(end, from + mostKeyLength));
    this.isInString = at >= chunk.length;
    return this.isInString ? chunk.length : at + 1;
  }
}

/**
 * Reads the objects of a JSON file, and apart from them the items of the list that each has under this key. Memory is bounded by
 * the largest of both. A file that is damaged or cut ends early.
 */
export async function* partsOf(file: ExportFile, list: string): AsyncGenerator<JsonPart> {
  const splitter = new PartSplitter(list);
  try {
    for await (const chunk of fromBeginning(await file.open())) {
      yield* splitter.split(chunk);
      if (splitter.isDone) return;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}
