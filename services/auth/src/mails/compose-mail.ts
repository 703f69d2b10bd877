import { withoutInvisible, type Locale } from '@parley/contracts';
import type { Mail } from '@parley/platform/mailer';
import { nameWithoutLinks, wordsWithoutLinks } from './without-links.ts';
import type { MailContent, MailTexts, MailWords, Write } from './mail-content.ts';
import { arabic } from './texts/ar.ts';
import { german } from './texts/de.ts';
import { english } from './texts/en.ts';

const texts: Readonly<Record<Locale, MailTexts>> = { en: english, ar: arabic, de: german };
const directions: Readonly<Record<Locale, 'ltr' | 'rtl'>> = { en: 'ltr', ar: 'rtl', de: 'ltr' };
/** Unicode's marks around text whose direction is its own (UAX 9, FSI and PDI). */
const [isolate, endIsolate] = ['\u2068', '\u2069'];

type Composed = Pick<Mail, 'subject' | 'text' | 'html' | 'language'>;

/**
 * Composes an email in a language, as text and HTML. User text is escaped and isolated, loses invisible characters, and
 * can't form links. No value can add a line to the subject.
 */
export function composeMail(content: MailContent, language: Locale, link: string | null): Composed {
  const dir = directions[language];
  const table = texts[language];
  const words = wordsOf(table, content, writeIn(language));
  if ((link === null) !== (words.button === undefined))
    throw new Error(`A mail of the kind ${content.kind} has ${link === null ? 'a button and no link' : 'no button'}.`);
  return {
    subject: asText(words.subject, dir),
    text: asText(textOf(words, table, link), dir),
    html: htmlOf({ words, table, link, language }),
    language,
  };
}

/** The table has a function for each kind, which takes the content of that very kind. */
const wordsOf = (table: MailTexts, content: MailContent, write: Write): MailWords =>
  (table[content.kind] as (content: MailContent, write: Write) => MailWords)(content, write);

const writeIn = (language: Locale): Write => ({
  words: (value) =>
    value.split(/\r\n|[\r\n]/).map((line) => `${isolate}${wordsWithoutLinks(withoutInvisible(line))}${endIsolate}`),
  name: (value) => `${isolate}${nameWithoutLinks(withoutInvisible(value))}${endIsolate}`,
  // Nobody's own time zone is known.
  time: (value, timeZone = 'UTC') =>
    `${isolate}${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(value)} ${timeZone}${endIsolate}`,
  amount: ({ value, currency }) => `${isolate}${amountIn(language, value, currency)}${endIsolate}`,
});

/** Of money to the cent, of less than ten cents to four digits after the point. */
function amountIn(language: Locale, value: number, currency: string | null): string {
  if (currency === null) return new Intl.NumberFormat(language).format(value);
  const money = value / 1_000_000;
  const maximumFractionDigits = money < 0.1 ? 4 : 2;
  return new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits }).format(money);
}

/** The marks stay only where a name of another direction is the rule: many programs show them as boxes. */
const asText = (text: string, dir: 'ltr' | 'rtl'): string =>
  dir === 'rtl' ? text : text.replaceAll(/[\u2068\u2069]/g, '');

function textOf({ lines, quote, after = [] }: MailWords, { footer }: MailTexts, link: string | null): string {
  // Marked line by line: nobody's words pass for Parley's own.
  const quoted = quote ? [[quote.by, ...quote.lines.map((line) => `> ${line}`)].join('\n')] : [];
  return [...lines, ...quoted, ...(link === null ? [] : [link]), ...after, `-- \n${footer}`].join('\n\n');
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  [isolate]: '<bdi>',
  [endIsolate]: '</bdi>',
};
const escaped = (text: string): string => text.replaceAll(/[&<>"'\u2068\u2069]/g, (sign) => escapes[sign] ?? '');

const paragraph = (text: string, style = ''): string => `<p style="margin:0 0 16px;${style}">${escaped(text)}</p>`;

type HtmlParts = {
  readonly words: MailWords;
  readonly table: MailTexts;
  readonly link: string | null;
  readonly language: Locale;
};

function htmlOf({ words, table, link, language }: HtmlParts): string {
  const { lines, quote, button = '', after = [], subject } = words;
  const quiet = 'color:#52605f;font-size:13px;';
  const body = [
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3;">${escaped(subject)}</h1>`,
    ...lines.map((line) => paragraph(line)),
    ...(quote
      ? [
          paragraph(quote.by, 'margin-bottom:4px;'),
          `<blockquote dir="auto" style="margin:0 0 16px;padding:8px 16px;border-inline-start:3px solid #dce3e2;">${quote.lines.map(escaped).join('<br>')}</blockquote>`,
        ]
      : []),
    ...(link === null
      ? []
      : [
          `<p style="margin:0 0 16px;"><a href="${escaped(link)}" style="display:inline-block;padding:11px 20px;border-radius:6px;background:#04606b;color:#ffffff;font-weight:600;text-decoration:none;">${escaped(button)}</a></p>`,
        ]),
    ...after.map((line) => paragraph(line)),
    ...(link === null
      ? []
      : [
          paragraph(table.orCopy, `${quiet}margin-bottom:4px;`),
          `<p dir="ltr" style="margin:0 0 16px;${quiet}word-break:break-all;">${escaped(link)}</p>`,
        ]),
    paragraph(table.footer, `${quiet}margin:24px 0 0;padding-top:16px;border-top:1px solid #dce3e2;`),
  ];
  return [
    `<!doctype html><html lang="${language}" dir="${directions[language]}"><head><meta charset="utf-8"><title>${escaped(subject).replaceAll(/<\/?bdi>/g, '')}</title></head>`,
    "<body style=\"margin:0;padding:24px 16px;background:#ffffff;color:#14201f;font:16px/1.5 -apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans Arabic',sans-serif;\">",
    `<div style="max-width:520px;margin:0 auto;">${body.join('')}</div></body></html>`,
  ].join('');
}
