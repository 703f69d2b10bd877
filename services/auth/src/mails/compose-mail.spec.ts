import { expect, test } from '@jest/globals';
import { mailKind, type Locale, type MailKind } from '@parley/contracts';
import { checkMail } from '@parley/platform/mailer';
import { composeMail } from './compose-mail.ts';
import { linkPages, type MailContent } from './mail-content.ts';

const at = new Date('2026-11-21T10:46:00.000Z');
const contents: { readonly [Kind in MailKind]: Extract<MailContent, { kind: Kind }> } = {
  'password-reset': { kind: 'password-reset', minutes: 30 },
  'password-changed': { kind: 'password-changed', at },
  'link-shown': { kind: 'link-shown', by: 'Runa Fjelder', reason: 'The mail server is down' },
  'name-revealed': {
    kind: 'name-revealed',
    by: 'Ines Vardale',
    organisation: 'Lindmoor Energy',
    reason: 'Spend doubled since Monday',
    until: at,
  },
  'budget-reached': {
    kind: 'budget-reached',
    organisation: 'Lindmoor Energy',
    whose: 'group',
    name: 'Contractors',
    threshold: 'hard',
    spent: { value: 25_004_100, currency: 'EUR' },
    limit: { value: 25_000_000, currency: 'EUR' },
    resetsAt: new Date('2026-11-30T23:00:00.000Z'),
    timeZone: 'Europe/Oslo',
  },
  'address-proof': { kind: 'address-proof', name: 'Noa Kestrel', days: 7 },
  invitation: { kind: 'invitation', organisation: 'Lindmoor Energy', inviter: 'Ines Vardale', endsAt: at },
};
const link = 'https://parley.example/en/reset-password#abc';
const compose = (kind: MailKind, language: Locale) =>
  composeMail(contents[kind], language, linkPages[kind] === null ? null : link);
const everyMail = (['en', 'ar', 'de'] as const).flatMap((language) =>
  mailKind.options.map((kind) => [language, kind] as const),
);

test.each(everyMail)('in %s, %s: text and HTML say the same, in the direction of the language', (language, kind) => {
  const mail = compose(kind, language);
  expect(mail.html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
  expect(mail.html).not.toContain('<table');
  const hasLink = linkPages[kind] !== null;
  expect(mail.text.includes(link)).toBe(hasLink);
  // The button, its address in letters, and the address.
  expect(mail.html.split(link).length - 1).toBe(hasLink ? 2 : 0);
  const plain = (text: string) => text.replaceAll(/[\u2068\u2069]/g, '');
  for (const line of plain(mail.text)
    .split('\n\n')
    .filter((part) => part !== link && !part.startsWith('-- ')))
    expect(plain(mail.html.replaceAll(/<\/?bdi>/g, ''))).toContain(line.replaceAll("'", '&#39;'));
  checkMail({ id: 'mal_1', to: 'a@b.example', ...mail });
});

test('every language says something of its own', () => {
  for (const kind of mailKind.options) {
    const subjects = (['en', 'ar', 'de'] as const).map((language) => compose(kind, language).subject);
    expect(new Set(subjects).size).toBe(3);
  }
});

test('what people have called something is text, on one line, in its own direction', () => {
  const nasty = 'A<script>\r\nBcc: x@y.example\u202e&"\'';
  const content = { kind: 'invitation', organisation: nasty, inviter: 'عمر', endsAt: at } as const;
  const mail = composeMail(content, 'en', link);
  expect(mail.subject).toBe('عمر invites you to A<script> Bcc: x\u2060@\u2060y.\u2060example&"\' on Parley');
  expect(mail.html).not.toContain('<script>');
  expect(mail.html).toContain('<bdi>A&lt;script&gt; Bcc: x\u2060@\u2060y.\u2060example&amp;&quot;&#39;</bdi>');
  expect(mail.html).toContain('<bdi>عمر</bdi>');
  expect(mail.text).not.toMatch(/[\u2068\u2069\u202e\r]/);
});

test('a text from right to left keeps what goes the other way together', () => {
  const mail = composeMail(contents.invitation, 'ar', link);
  expect(mail.subject).toContain('\u2068Lindmoor Energy\u2069');
  expect(mail.text).toContain('\u2068Ines Vardale\u2069');
});

test('a kind with a page is not composed without its link, nor any other with one', () => {
  expect(() => composeMail(contents['password-reset'], 'en', null)).toThrow('password-reset');
  expect(() => composeMail(contents['link-shown'], 'en', link)).toThrow('link-shown');
});

test("an inviter's words stand line by line, marked as theirs, and are no HTML", () => {
  const message = 'Welcome to Field south.\r\n<b>Start</b> here.\n-- \nParley';
  const mail = composeMail({ ...contents.invitation, message } as MailContent, 'en', link);
  expect(mail.text).toContain(
    'Ines Vardale writes:\n> Welcome to Field south.\n> <b>Start</b> here.\n> -- \n> Parley\n\n',
  );
  expect(mail.html).toContain('Welcome to Field south.</bdi><br><bdi>&lt;b&gt;Start&lt;/b&gt; here.');
  for (const none of [null, undefined, ''])
    expect(composeMail({ ...contents.invitation, message: none } as MailContent, 'en', link).text).not.toContain(
      'writes',
    );
});
