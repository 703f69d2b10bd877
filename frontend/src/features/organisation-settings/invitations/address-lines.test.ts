import { expect, test } from '@jest/globals';
import type { AddressVerdict } from '@parley/contracts';
import { addressesIn, mostLines, verdictsOf, withLines } from './address-lines.ts';

test.each([
  ['a list with commas and semicolons', 'a@x.org, b@x.org;c@x.org', ['a@x.org', 'b@x.org', 'c@x.org']],
  ['one line each, with blank ones', 'a@x.org\r\n\r\n  b@x.org  \n', ['a@x.org', 'b@x.org']],
  ['a table with its head', 'Name,E-mail\nMira Stenvik,mira@x.org\n"Odd";"odd@x.org"', ['mira@x.org', 'odd@x.org']],
  ['addresses of a mail program', '"Mira Stenvik" <mira@x.org>, Odd <odd@x.org>', ['mira@x.org', 'odd@x.org']],
  ['what is no address', 'mira', ['mira']],
  ['lines without any address', 'mira\nodd', ['mira', 'odd']],
  ['nothing', ' ,;\n', []],
])('reads %s', (_what, text, addresses) => {
  expect(addressesIn(text)).toEqual(addresses);
});

test('keeps five hundred and counts what was left out', () => {
  const { lines, leftOut } = withLines(
    [],
    Array.from({ length: mostLines + 7 }, (_, at) => `p${at}@x.org`),
  );
  expect([lines.length, leftOut]).toEqual([mostLines, 7]);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(mostLines);
});

test('of two lines alike each has what was said of it, also after the first is taken away', () => {
  const { lines } = withLines([], ['a@x.org', 'a@x.org', 'new@x.org']);
  const checked = (address: string, verdict: AddressVerdict) => ({ address, verdict });
  const report = {
    sent: ['a@x.org', 'a@x.org'],
    lines: [checked('a@x.org', 'fine'), checked('a@x.org', 'twice')],
    seatsLeft: null,
  };
  expect(verdictsOf(lines, report).map((one) => one?.verdict ?? null)).toEqual(['fine', 'twice', null]);
  expect(verdictsOf(lines.slice(1), report).map((one) => one?.verdict ?? null)).toEqual(['fine', null]);
});
