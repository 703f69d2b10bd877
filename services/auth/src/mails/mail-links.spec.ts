import { describe, expect, test } from '@jest/globals';
import { mailKind, type Locale, type MailKind } from '@parley/contracts';
import { LinkifyIt } from 'linkify-it';
import { composeMail } from './compose-mail.ts';
import { linkPages, type MailContent } from './mail-content.ts';

const at = new Date('2026-11-21T10:46:00.000Z');
const link = 'https://parley.example/en/reset-password#abc';
const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true });
const locales: readonly Locale[] = ['en', 'de', 'ar'];

/** Returns a mail of each kind with this text wherever people can choose one. */
const contentsWith = (own: string): { readonly [Kind in MailKind]: Extract<MailContent, { kind: Kind }> } => ({
  'password-reset': { kind: 'password-reset', minutes: 30 },
  'password-changed': { kind: 'password-changed', at },
  'link-shown': { kind: 'link-shown', by: own, reason: own },
  'name-revealed': { kind: 'name-revealed', by: own, organisation: own, reason: own, until: at },
  'budget-reached': {
    kind: 'budget-reached',
    organisation: own,
    whose: 'group',
    name: own,
    threshold: 'hard',
    spent: { value: 25_004_100, currency: 'EUR' },
    limit: { value: 25_000_000, currency: 'EUR' },
    resetsAt: at,
    timeZone: 'Europe/Oslo',
  },
  'address-proof': { kind: 'address-proof', name: own, days: 7 },
  invitation: { kind: 'invitation', organisation: own, inviter: own, endsAt: at, message: `Hello\n${own}` },
});
const mailsWith = (own: string) =>
  mailKind.options.flatMap((kind) =>
    locales.map((locale) => composeMail(contentsWith(own)[kind], locale, linkPages[kind] === null ? null : link)),
  );
/** As programs see it that make links of what looks like one. */
const seen = (html: string): string => html.replaceAll(/<style[^]*?<\/style>/g, '').replaceAll(/<[^>]*>/g, ' ');
const foundIn = (text: string): string[] =>
  (linkify.match(text) ?? []).map(({ url }) => url).filter((url) => url !== link);

describe('programs find no link in a mail but those of Parley', () => {
  test.each([
    'Your parcel is held. Pay 1.99 at https://evil.example.com/pay now',
    'Booking.com',
    'www.evil.com/pay?id=1#x',
    '//evil.com',
    'hthttp://tp://evil.com',
    'http:////evil.com',
    'HTTPS://evil',
    'ftp://evil/x',
    'mailto:pay@evil.com',
    'pay@evil.com',
    'evil.рф',
    'müller.de',
    'a.b.co.uk:8080/x',
    'evil.com.',
    '(evil.com)',
    'localhost evil.xn--p1ai/x',
  ])('where people are called %s', (own) => {
    const found = mailsWith(own).flatMap(({ subject, text, html }) => [subject, text, seen(html)].flatMap(foundIn));
    expect([...new Set(found)]).toEqual([]);
  });
});

test('names are read as they are chosen', () => {
  for (const own of ['Booking.com', 'Dr. Ines Vardale', 'A/B tests', 'gpt-4.1', 'Team: Sales', '24/7 help']) {
    const [mail] = mailsWith(own).filter(({ subject }) => subject.includes('invites you'));
    const read = (text: string) => text.replaceAll(/[\u2060\u2068\u2069]/g, '');
    expect(read(mail!.subject)).toBe(`${own} invites you to ${own} on Parley`);
    expect(read(mail!.text)).toContain(`> ${own}`);
  }
});
