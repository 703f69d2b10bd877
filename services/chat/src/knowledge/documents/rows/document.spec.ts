import { describe, expect, test } from '@jest/globals';
import { documentEndings } from '@parley/contracts';
import { cleanName, mediaTypeIn, mediaTypeOf, nameFilter, nameKeys } from './document.ts';

test.each([
  ['a.md', 'text/markdown'],
  ['B.HTML', 'text/html'],
  ['x.y.txt', 'text/plain'],
  ['Report.PDF', 'application/pdf'],
])('%s is %s', (name, type) => expect(mediaTypeOf(name)).toBe(type));
test.each(['a.doc', 'a', 'a.md.exe', '.md '])('%s is refused', (name) =>
  expect(() => mediaTypeOf(name)).toThrow('Upload PDF'),
);
test.each([
  ['application/pdf', 'report', 'application/pdf'],
  ['application/octet-stream', 'report.pdf', 'application/pdf'],
  ['application/zip', 'report.docx', documentEndings.docx],
  ['text/plain; charset=utf-8', 'prices.csv', 'text/csv'],
  ['text/html', 'report.pdf', 'text/html'],
  ['image/png', 'report.pdf', null],
  [null, 'mail.eml', 'message/rfc822'],
])('what a source calls %s and %s is %s', (said, name, type) => expect(mediaTypeIn(said, name)).toBe(type));
test.each([
  ['../../etc/passwd.txt', 'passwd.txt'],
  ['..\\x.md', 'x.md'],
  ['a\u202Etxt.md', 'atxt.md'],
  ['a\r\nb.md', 'ab.md'],
])('%j is shown as %j', (name, shown) => expect(cleanName(name)).toBe(shown));

describe('the name filter', () => {
  const matches = (typed: string, name: string, orgId = 'org_1') =>
    nameKeys('org_1', name).some((key) => nameFilter(orgId, typed).test(key));
  test('finds the start of any word, folded', () => {
    expect(matches('poli', 'Leave-Policy.md')).toBe(true);
    expect(matches('CAFE', 'café.txt')).toBe(true);
    expect(matches('olicy', 'Leave-Policy.md')).toBe(false);
  });
  test('typed signs have no meaning of their own', () => {
    expect([matches('a$', 'abc.md'), matches('c++', 'c.md'), matches('(', 'c.md')]).toEqual([true, true, true]);
    expect(matches('[ab]', 'b.md')).toBe(false);
  });
  test("is for one organisation's names", () => expect(matches('poli', 'Leave-Policy.md', 'org_2')).toBe(false));
});
