import { createGeneratorSync, registerFormat, type JsonSchema } from 'json-schema-faker';
import { z } from 'zod';
import type { Dice } from './dice.ts';

const samplesEach = 3;
const idPattern = /^([a-z]+)_[0-9A-HJKMNP-TV-Z]{26}$/;
const mostKnownOfAKind = 100;

registerFormat('date-time', () => '2026-11-25T12:00:00.000Z');

/** Values that have broken programs before. */
const hostile: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  ' ',
  '\u0000',
  '\uD800',
  '\u202Eabc',
  '😀'.repeat(500),
  'a'.repeat(20_000),
  '../../etc/passwd',
  "' or 1=1 --",
  '2026-13-40T99:99:99Z',
  '9999-12-31T23:59:59.999Z',
  'NaN',
  '-0',
  '1e999',
  'constructor',
  '__proto__',
  { $gt: '' },
  { $where: 'while (true) {}' },
  { $ne: null },
  [],
  {},
  [[[[]]]],
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
];

/** Ids that the product has told, by their prefix: made-up ones find nothing. */
export class KnownIds {
  private readonly byPrefix = new Map<string, string[]>();

  learn(text: string): void {
    for (const [id] of text.matchAll(/\b[a-z]{2,6}_[0-9A-HJKMNP-TV-Z]{26}\b/g)) {
      const prefix = id.slice(0, id.indexOf('_'));
      const known = this.byPrefix.get(prefix) ?? [];
      this.byPrefix.set(prefix, known);
      if (known.length < mostKnownOfAKind && !known.includes(id)) known.push(id);
    }
  }

  /** One of the same kind; the given one where none is known. */
  like(id: string, dice: Dice): string {
    const known = this.byPrefix.get(idPattern.exec(id)?.[1] ?? '');
    return known === undefined ? id : dice.pick(known);
  }
}

/** Makes values of a schema: most with ids that are known, half of them broken in one place. */
export class Inputs {
  private readonly dice: Dice;
  private readonly known: KnownIds;
  private readonly samples = new Map<z.ZodType, readonly unknown[]>();

  constructor(dice: Dice, known: KnownIds) {
    this.dice = dice;
    this.known = known;
  }

  of(schema: z.ZodType): unknown {
    const valid = this.withKnownIds(this.dice.pick(this.samplesOf(schema)));
    return this.dice.chance(0.5) ? valid : this.broken(valid);
  }

  hostileValue(): unknown {
    return this.dice.pick(hostile);
  }

  private samplesOf(schema: z.ZodType): readonly unknown[] {
    const made =
      this.samples.get(schema) ?? Array.from({ length: samplesEach }, (_unused, at) => this.sample(schema, at));
    this.samples.set(schema, made);
    return made;
  }

  /** The first has what is required only. It need not keep rules that JSON Schema can't express. */
  private sample(schema: z.ZodType, at: number): unknown {
    const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
      target: 'draft-7',
      io: 'input',
      unrepresentable: 'any',
    });
    const optionalsProbability = at === 0 ? 0 : 0.8;
    const options = { optionalsProbability, additionalProperties: false, maxItems: 3, useDefaultValue: false };
    return createGeneratorSync({ ...options, seed: this.dice.below(2 ** 31) }).generate(json as JsonSchema);
  }

  private withKnownIds(value: unknown): unknown {
    if (typeof value === 'string')
      return idPattern.test(value) && this.dice.chance(0.7) ? this.known.like(value, this.dice) : value;
    if (Array.isArray(value)) return value.map((each) => this.withKnownIds(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.withKnownIds(each)]));
  }

  /** One place holds something hostile, is missing, or there is one more. */
  private broken(value: unknown): unknown {
    if (Array.isArray(value) && value.length > 0 && this.dice.chance(0.8)) {
      const at = this.dice.below(value.length);
      return value.map((each: unknown, index) => (index === at ? this.broken(each) : each));
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.hostileValue();
    const entries = Object.entries(value);
    const way = this.dice.next();
    if (entries.length === 0 || way < 0.1)
      return { ...value, [this.dice.pick(['more', '$set', '__proto__'])]: this.hostileValue() };
    const [key, each] = this.dice.pick(entries) as [string, unknown];
    if (way < 0.2) return Object.fromEntries(entries.filter(([other]) => other !== key));
    if (way < 0.25) return this.hostileValue();
    return { ...value, [key]: this.broken(each) };
  }
}
