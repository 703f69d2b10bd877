import { expect, test } from '@jest/globals';
import { documentEndings } from '@parley/contracts';
import { sizes } from './passage-sizes.spec-setup.ts';
import { splitDocument } from './split-document.ts';
import { attachmentTypes } from './split-mail.ts';

const split = (...lines: string[]) =>
  splitDocument(new Uint8Array(Buffer.from(lines.join('\r\n'))), { mediaType: 'message/rfc822', sizes });
const head = ['From: Ada <ada@example.org>', 'To: Ben <ben@example.org>', 'Date: Tue, 24 Nov 2026 10:00:00 +0000'];
const said = 'From: Ada ada@example.org\nTo: Ben ben@example.org\nDate: 2026-11-24 10:00';

test('a mail says who, to whom and when under its subject, then its text', async () => {
  const subject = `Subject: =?UTF-8?B?${Buffer.from('Miete für März 賃料 إيجار').toString('base64')}?=`;
  const answer = await split(...head, subject, 'Content-Type: text/plain; charset=utf-8', '', 'The rent is 1,200 EUR.');
  expect(answer).toEqual({
    passages: [{ heading: 'Miete für März 賃料 إيجار', text: `${said}\n\nThe rent is 1,200 EUR.` }],
  });
});

test('of a mail with pages the page is read, and what is attached is named, also where it cannot be read', async () => {
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
    unread: [{ name: 'rent.pdf', flaw: 'damaged' }],
  });
});

/** A mail with these files. */
const withFiles = (files: readonly (readonly [name: string, content: string | Buffer])[]): string[] => [
  ...head,
  'Subject: Rent',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: text/plain',
  '',
  'See below.',
  ...files.flatMap(([name, content]) => [
    '--x',
    `Content-Type: application/octet-stream; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(content).toString('base64'),
  ]),
  '--x--',
];

test('what is attached is read, and each passage says in which attachment it stands, and on which sheet', async () => {
  const csv = 'City,Rent\nBerlin,"1,200"';
  const answer = await split(
    ...withFiles([
      ['Notes.md', '# Garage\n\nIt is 80 EUR.'],
      ['logo.png', 'png'],
      ['rents.csv', csv],
    ]),
  );
  expect(answer).toMatchObject({
    passages: [
      { text: expect.stringContaining('Attachments: Notes.md, logo.png, rents.csv') },
      {
        heading: 'Rent › Garage',
        text: 'It is 80 EUR.',
        place: { kind: 'attachment', number: 1, attachment: 'Notes.md' },
      },
      {
        heading: 'Rent',
        text: expect.stringContaining('Berlin'),
        place: { kind: 'attachment', number: 3, attachment: 'rents.csv' },
      },
    ],
  });
});

test('of attachments ten are read, none that is huge, and no mail within a mail', async () => {
  const attached = async (files: Parameters<typeof withFiles>[0]) => {
    const answer = await split(...withFiles(files));
    if (!('passages' in answer)) return answer;
    return {
      read: answer.passages.flatMap(({ place }) => place?.attachment ?? []),
      unread: (answer.unread ?? []).map(({ name, flaw }) => `${name}: ${flaw}`),
    };
  };
  const many = Array.from({ length: 12 }, (_, at) => [`${at}.txt`, `Text ${at}.`] as const);
  expect(await attached(many)).toEqual({
    read: many.slice(0, 10).map(([name]) => name),
    unread: ['10.txt: beyond-most', '11.txt: beyond-most'],
  });
  expect(
    await attached([
      ['huge.txt', Buffer.alloc(10_000_001, 'a ')],
      ['small.txt', 'Small.'],
    ]),
  ).toEqual({ read: ['small.txt'], unread: ['huge.txt: too-large'] });
  expect(
    await attached([
      ['inner.eml', 'Subject: Inner\r\n\r\nSaid within.'],
      ['bad.docx', 'no zip'],
      ['blank.txt', ' '],
      ['latin.txt', Buffer.from([0x4d, 0xe4, 0x72, 0x7a])],
    ]),
  ).toEqual({
    read: [],
    unread: ['inner.eml: kind-not-read', 'bad.docx: damaged', 'blank.txt: no-text', 'latin.txt: not-utf8'],
  });
  const sixty = Array.from({ length: 60 }, (_, at) => [`${at}.zip`, 'PK'] as const);
  expect(await attached(sixty)).toMatchObject({ unread: { length: 50 } });
});

test('a picture that stands in the text of a mail is not told to be unread, one that is attached is', async () => {
  const picture = (name: string, how: string) => [
    '--x',
    `Content-Type: image/png; name=${name}`,
    `Content-Disposition: ${how}; filename=${name}`,
    '',
    'png',
  ];
  const files = [...picture('logo.png', 'inline'), ...picture('scan.png', 'attachment')];
  const text = ['--x', 'Content-Type: text/plain', '', 'See the scan.'];
  const answer = await split(...head, 'Content-Type: multipart/mixed; boundary=x', '', ...text, ...files, '--x--');
  expect(answer).toMatchObject({ unread: [{ name: 'scan.png', flaw: 'kind-not-read' }] });
});

test('of attachments all kinds are read that are read of files, but mails', () => {
  const { eml: _mail, ...others } = documentEndings;
  expect(attachmentTypes).toEqual(others);
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
