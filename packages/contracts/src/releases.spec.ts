import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { breaksBetween, jsonSchemaOf, samplesOf, wireSchemas, type Release } from './releases.spec-setup.ts';

/** Lists contracts removed since the last release, none of whose processes used them: 0.2.0 was the first that didn't. */
const removed = ['listPersonBudgets params', 'listPersonBudgets response'];

/**
 * Breaks that are accepted in this version, each with its reason. Allowed only if the upgrade stops all processes and
 * "Upgrading" in CHANGELOG.md says so. Empty the list when you run `npm run contracts:release`.
 */
const acceptedBreaks: Readonly<Record<string, string>> = {};

const folder = new URL('../releases/', import.meta.url);
const files = readdirSync(folder);
const release = JSON.parse(readFileSync(new URL(files[0]!, folder), 'utf8')) as Release;

test('keeps the contracts of the newest release only', () => {
  expect(files).toEqual([`${release.version}.json`]);
});

test('processes of the last release and of this version can read each other’s messages, except for accepted breaks', () => {
  expect(Object.keys(release.contracts).length).toBeGreaterThan(100);
  expect(breaksBetween(release, wireSchemas, removed).toSorted()).toEqual(Object.keys(acceptedBreaks).toSorted());
});

const before = z.strictObject({
  id: z.string().regex(/^a+$/),
  count: z.number().optional(),
  state: z.enum(['on', 'off']),
});
const then: Release = {
  version: '1',
  contracts: { thing: { schema: jsonSchemaOf(before), samples: samplesOf('thing', before) } },
};

describe('compares the release with this version after a change', () => {
  test.each<[string, z.ZodType | null, string[]]>([
    ['an optional field is added', before.extend({ more: z.string().optional() }), []],
    [
      'a field that this version always sends is added, with a default',
      before.extend({ more: z.string().default('') }),
      [],
    ],
    ['an optional field is removed', before.omit({ count: true }), []],
    ['a required field is added', before.extend({ more: z.string() }), ["thing: this version can't read what 1 sends"]],
    ['a required field is removed', before.omit({ state: true }), ["thing: 1 can't read what this version sends"]],
    [
      'a required field becomes optional',
      before.partial({ id: true }),
      ["thing: 1 can't read what this version sends"],
    ],
    [
      'a value is added',
      before.extend({ state: z.enum(['on', 'off', 'away']) }),
      ["thing: 1 can't read what this version sends"],
    ],
    [
      'a field has another type',
      before.extend({ id: z.number() }),
      ["thing: this version can't read what 1 sends", "thing: 1 can't read what this version sends"],
    ],
    ['it is removed', null, ['thing is gone']],
  ])('%s', (_name, now, breaks) => {
    expect(breaksBetween(then, new Map(now ? [['thing', now]] : []))).toEqual(breaks);
  });

  test('allows the removal of a contract that no process uses any more', () => {
    expect(breaksBetween(then, new Map(), ['thing'])).toEqual([]);
  });
});
