/** One value of a JSON file: an item of its top-level array, or one of several objects in a row. */
export type JsonElement = {
  /** Null if it is too large or the file ends before it does. */
  readonly bytes: Buffer | null;
  /** The beginning of it. */
  readonly head: Buffer;
  readonly problem: 'too-large' | 'damaged' | 'cut' | null;
};

/** An element without the items of one of its lists, or one of these items. */
export type JsonPart = {
  /** The number of the element, from 0. The splitter yields an element's items before the element. */
  readonly at: number;
  readonly isItem: boolean;
  readonly element: JsonElement;
};

export type JsonLimits = { readonly bytes: number; readonly depth: number; readonly containers: number };
/** An item can be a text of 50 MB with a third of its characters escaped. */
const mostItemBytes = 64 * 1024 ** 2;
const headBytes = 64 * 1024;
const mostKeyLength = 20;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Finds where the elements begin in a file like `{"conversations": […]}`. The fields before the list must be short and hold no objects or lists.
 */
const wrapped =
  /^\s*\{(?:\s*"[^"\\]{0,100}"\s*:\s*(?:"[^"\\]{0,1000}"|-?[\d.eE+-]{1,30}|true|false|null)\s*,){0,20}\s*"conversations"\s*:\s*\[/;

/** Collects the bytes of one value, up to the limits. */
class Collected {
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

  end(problem = this.problem): JsonElement {
    const bytes = problem === null ? Buffer.concat(this.parts) : null;
    return { bytes, head: Buffer.concat(this.beginning), problem };
  }
}

/**
 * Splits a JSON file at brackets and quotes alone, so that an element that is no JSON doesn't affect the others. UTF-8 needs
 * no care: all these bytes are ASCII. With the key of a list, yields the items of that list apart from their element.
 */
export class JsonSplitter {
  isDone = false;
  private depth = 0;
  /** The depth at which elements lie: 1 in an array, 0 if the file is one object. */
  private level = 0;
  private hasBegun = false;
  private isInString = false;
  private isEscaped = false;
  /** The text at the first level of the element that was read last, and the one that is a key. */
  private text = '';
  private key = '';
  private isInList = false;
  private at = -1;
  private element: Collected | null = null;
  /** Collects the bytes that are read now: those of the element, of an item of its list, or none. */
  private into: Collected | null = null;
  /** The position in the chunk where uncollected bytes begin. */
  private from = 0;

  constructor(
    private readonly limits: JsonLimits,
    private readonly list: string | null,
  ) {}

  *split(chunk: Buffer): Generator<JsonPart> {
    this.from = 0;
    let at = this.hasBegun ? 0 : this.begin(chunk);
    while (at < chunk.length && !this.isDone) {
      if (this.isInString) {
        at = this.afterString(chunk, at);
        continue;
      }
      const byte = chunk[at]!;
      const closes = byte === closeArray || byte === closeObject;
      if (this.depth === this.level) {
        // The comma or closing bracket after an element is no part of it.
        if ((closes || byte === comma) && this.element) yield this.end(chunk, at);
        if (closes) this.isDone = true;
        else if (byte !== comma && !this.element && !isSpace(byte)) this.beginElement(chunk, at);
      }
      if (byte === openArray || byte === openObject) this.open(chunk, at);
      else if (closes) {
        const part = this.close(chunk, at);
        if (part) yield part;
      } else if (byte === quote) this.isInString = true;
      if (this.list !== null && this.isBetweenFields) this.noteKey(byte);
      at += 1;
    }
    this.into?.add(chunk.subarray(this.from));
  }

  /** Returns the element that a file cuts off by ending too early; null if there is none. */
  rest(): JsonElement | null {
    if (this.isDone || !this.hasBegun || (this.level === 0 && this.element === null)) return null;
    return (this.element ?? new Collected(this.limits)).end(this.level === 0 ? 'damaged' : 'cut');
  }

  /** Returns where in the first chunk the elements begin; is done if the file is neither an array nor an object. */
  private begin(chunk: Buffer): number {
    this.hasBegun = true;
    let at = chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
    while (at < chunk.length && isSpace(chunk[at]!)) at += 1;
    const wrapper = this.list === null ? wrapped.exec(chunk.toString('latin1', at, at + 32_000)) : null;
    if (wrapper === null && chunk[at] !== openArray) {
      this.isDone = chunk[at] !== openObject;
      return at;
    }
    this.depth = 1;
    this.level = 1;
    return at + (wrapper?.[0].length ?? 1);
  }

  private beginElement(chunk: Buffer, at: number): void {
    // Behind one object can come more of them: JSON lines.
    this.isDone = this.level === 0 && chunk[at] !== openObject;
    if (this.isDone) return;
    this.at += 1;
    this.element = new Collected(this.limits);
    this.turnTo(this.element, chunk, at);
  }

  private open(chunk: Buffer, at: number): void {
    if (this.isInList && this.depth === this.level + 2)
      this.turnTo(new Collected({ ...this.limits, bytes: mostItemBytes }), chunk, at);
    else if (this.isBetweenFields && chunk[at] === openArray && this.key === this.list) {
      this.isInList = true;
      this.turnTo(null, chunk, at + 1);
    }
    this.depth += 1;
    this.into?.opened(this.depth);
  }

  private close(chunk: Buffer, at: number): JsonPart | null {
    if (this.isDone) return null;
    this.depth -= 1;
    const inside = this.depth - this.level;
    if (inside === 0) return this.end(chunk, at + 1);
    if (!this.isInList || inside > 2) return null;
    if (inside === 1) {
      this.isInList = false;
      this.turnTo(this.element, chunk, at);
      return null;
    }
    const item = this.into!;
    this.turnTo(null, chunk, at + 1);
    return { at: this.at, isItem: true, element: item.end() };
  }

  private end(chunk: Buffer, at: number): JsonPart {
    const element = this.element!;
    this.turnTo(null, chunk, at);
    this.element = null;
    return { at: this.at, isItem: false, element: element.end() };
  }

  private turnTo(next: Collected | null, chunk: Buffer, at: number): void {
    this.into?.add(chunk.subarray(this.from, at));
    this.into = next;
    this.from = at;
  }

  private get isBetweenFields(): boolean {
    return this.depth === this.level + 1 && !this.isInList;
  }

  private noteKey(byte: number): void {
    if (byte === colon) this.key = this.text;
    else if (byte === comma) this.key = '';
    else if (byte === quote) this.text = '';
  }

  private afterString(chunk: Buffer, from: number): number {
    let at = this.isEscaped ? from + 1 : from;
    this.isEscaped = false;
    while (at < chunk.length && chunk[at] !== quote) {
      this.isEscaped = chunk[at] === backslash && at + 1 === chunk.length;
      at += chunk[at] === backslash ? 2 : 1;
    }
    if (this.list !== null && this.isBetweenFields && this.text.length < mostKeyLength)
      this.text += chunk.toString('latin1', from, Math.min(at, from + mostKeyLength));
    this.isInString = at >= chunk.length;
    return at + 1;
  }
}
