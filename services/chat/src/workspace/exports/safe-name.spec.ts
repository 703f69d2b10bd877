import { expect, test } from '@jest/globals';
import { safeName } from './safe-name.ts';

test.each([
  ['Plan für März.pdf', 'Plan für März.pdf'],
  ['../../etc/passwd', 'etc passwd'],
  ['..', 'file'],
  ['a\\b/c:d*e?f"g<h>i|j.txt', 'a b c d e f g h i j.txt'],
  ['con', '_con'],
  ['COM1.txt', '_COM1.txt'],
  ['console.txt', 'console.txt'],
  [' .hidden. ', 'hidden'],
  ['.md', 'md'],
  ['line\nbreak\u0000.md', 'line break.md'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['half \uD83D of a sign', 'half of a sign'],
  ['e\u0301te\u0301', '\u00E9t\u00E9'],
  ['تقرير الربع.docx', 'تقرير الربع.docx'],
  ['', 'file'],
])('%j is called %j on a disk', (name, safe) => {
  expect(safeName(name, 'file')).toBe(safe);
});

test.each([['x'.repeat(300)], ['報告'.repeat(200)], ['🦩'.repeat(200)]])(
  'a long one is cut, and keeps its ending',
  (base) => {
    const name = safeName(`${base}.docx`, 'file');
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(150);
    expect(Buffer.byteLength(name)).toBeGreaterThan(140);
    expect(name).toMatch(/^(?:x+|(?:報告)+報?|(?:🦩)+)\.docx$/u);
  },
);
