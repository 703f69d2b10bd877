import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Readable } from 'node:stream';
import { elementsOf, headTexts, valueOf, type JsonElement, type JsonLimits } from './json-elements.ts';

const inChunks = (content: Buffer, bytes: number): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(content.length / bytes) }, (_, at) =>
      content.subarray(at * bytes, (at + 1) * bytes),
    ),
    { objectMode: false },
  );
async function elements(content: string | Buffer, limits?: Partial<JsonLimits>, bytes = 7): Promise<JsonElement[]> {
  const all = { bytes: 1_000_000, depth: 100_000, containers: 1_000_000, ...limits };
  const found: JsonElement[] = [];
  const open = () => Promise.resolve(inChunks(Buffer.from(content), bytes));
  for await (const element of elementsOf({ open }, { limits: all })) found.push(element);
  return found;
}
const values = async (...given: Parameters<typeof elements>): Promise<unknown[]> =>
  (await elements(...given)).map((element) => element.problem ?? valueOf(element) ?? 'no JSON');

describe('a JSON file, one element at a time', () => {
  test('any array comes back as its values, however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.json({ maxDepth: 3 })), fc.integer({ min: 1, max: 50 }), async (list, bytes) => {
        const padding = ' '.repeat(5_000);
        const expected = list.map((json): unknown => JSON.parse(json));
        expect((await elements(`\n[ ${padding}${list.join(' ,\n')} ] `, {}, bytes)).map(valueOf)).toEqual(expected);
      }),
    );
  });

  test('an object is one element, one with conversations is their elements', async () => {
    expect(await values('{"a":[1,{"b":"]}"}]}')).toEqual([{ a: [1, { b: ']}' }] }]);
    expect(await values('{"version":1,"conversations":[{"a":1},{"a":2}]}')).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test('a byte order mark, quotes in quotes and backslashes at the end of a chunk are read', async () => {
    expect(await values('\uFEFF[{"a":"\\\\"},{"a":"\\"[{"}]', {}, 1)).toEqual([{ a: '\\' }, { a: '"[{' }]);
  });

  test('what is no JSON has no elements', async () => {
    for (const content of ['', 'text', '<html>', '"[1]"', '12']) expect(await values(content)).toEqual([]);
  });

  test('an element that is no JSON costs only itself', async () => {
    expect(await values('[{"a":1},{"a":,},{"a":3},null,4]')).toEqual([{ a: 1 }, 'no JSON', { a: 3 }, 'no JSON', 4]);
  });

  test('a file that is cut off ends with an element that is cut, or damaged if it is the only one', async () => {
    expect(await values('[{"a":1},{"a":')).toEqual([{ a: 1 }, 'cut']);
    expect(await values('[{"a":1}')).toEqual([{ a: 1 }, 'cut']);
    expect(await values('{"title":"x')).toEqual(['damaged']);
  });

  test('an element above the limit is left out, and known by its beginning', async () => {
    const [large, small] = await elements(`[{"title":"Large","text":"${'x'.repeat(200)}"},{"a":1}]`, { bytes: 100 });
    expect(large).toMatchObject({ problem: 'too-large', bytes: null });
    expect(headTexts(large!.head).get('title')).toBe('Large');
    expect(valueOf(small!)).toEqual({ a: 1 });
  });

  test('10,000 levels are read, more than the limit are damaged', async () => {
    const nested = (levels: number) => `[${'['.repeat(levels)}${']'.repeat(levels)},1]`;
    const [deep, one] = await elements(nested(10_000), {}, 1_000);
    expect([Array.isArray(valueOf(deep!)), valueOf(one!)]).toEqual([true, 1]);
    expect(await values(nested(50), { depth: 20 })).toEqual(['damaged', 1]);
    expect(await values(`[[${'{},'.repeat(50)}{}],1]`, { containers: 20 })).toEqual(['too-large', 1]);
  });

  test('invalid UTF-8 becomes replacement characters', async () => {
    const content = Buffer.concat([Buffer.from('["a'), Buffer.from([0xff, 0xc3]), Buffer.from('"]')]);
    expect(await values(content)).toEqual(['a\uFFFD\uFFFD']);
  });

  test('the fields of a beginning are those of the first level', () => {
    const head = Buffer.from('{"id":"1","n":5,"list":[{"id":"2"}],"chat":{"title":"no"},"title":"yes","cut":"of');
    expect([...headTexts(head)]).toEqual([
      ['id', '1'],
      ['list', ''],
      ['chat', ''],
      ['title', 'yes'],
    ]);
  });
});
