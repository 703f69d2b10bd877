import { expect, test } from '@jest/globals';
import { splitDocument } from './split-document.ts';

const split = (...lines: string[]) => splitDocument(new Uint8Array(Buffer.from(lines.join('\r\n'))), 'message/rfc822');
const head = ['From: Ada <ada@example.org>', 'To: Ben <ben@example.org>', 'Date: Tue, 24 Nov 2026 10:00:00 +0000'];
const said = 'From: Ada ada@example.org\nTo: Ben ben@example.org\nDate: 2026-11-24 10:00';

test('a mail says who, to whom and when under its subject, then its text', async () => {
  const subject = `Subject: =?UTF-8?B?${Buffer.from('Miete für März 賃料 إيجار').toString('base64')}?=`;
  const answer = await split(...head, subject, 'Content-Type: text/plain; charset=utf-8', '', 'The rent is 1,200 EUR.');
  expect(answer).toEqual({
    passages: [{ heading: 'Miete für März 賃料 إيجار', text: `${said}\n\nThe rent is 1,200 EUR.` }],
  });
});

test('of a mail with pages the page is read, and what is attached is named', async () => {
  const answer = await split(
    ...head,
    'Subject: Rent',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: text/html; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<h1>M=E4rz</h1><table><tr><th>City</th><th>Rent</th></tr><tr><td>Berlin</td><td>1,200</td></tr></table>',
    '--x',
    'Content-Type: application/pdf; name=rent.pdf',
    'Content-Disposition: attachment; filename=rent.pdf',
    'Content-Transfer-Encoding: base64',
    '',
    'JVBERi0=',
    '--x--',
  );
  expect(answer).toEqual({
    passages: [
      { heading: 'Rent', text: `${said}\nAttachments: rent.pdf` },
      { heading: 'Rent › März', text: '| City | Rent |\n| --- | --- |\n| Berlin | 1,200 |' },
    ],
  });
});

/** Each in the one before. */
function nested(depth: number): string[] {
  const open = Array.from({ length: depth }, (_, at) => [
    `Content-Type: multipart/mixed; boundary=b${at}`,
    '',
    `--b${at}`,
  ]);
  return [...head, ...open.flat(), 'Content-Type: text/plain', '', 'Innermost.'];
}

test('parts within parts are read, unless there are more than anybody sends', async () => {
  expect(await split(...nested(5))).toMatchObject({ passages: [{ text: expect.stringContaining('Innermost.') }] });
  expect(await split(...nested(500))).toEqual({ failure: 'nested-too-deep' });
});

test('what is no mail says so', async () => {
  expect(await split('')).toEqual({ failure: 'damaged' });
});
