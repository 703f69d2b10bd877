import { z } from 'zod';
import { Mailer } from './mailer.ts';
import { SmtpMailer } from './smtp/smtp-mailer.ts';
import { parseSender, type Sender } from './to-message.ts';

/** The settings for sending emails. */
export const mailConfig = z.object({
  PARLEY_SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'Mail server, secret: `smtps://user:password@host` or, with STARTTLS, `smtp://…`; `?tls=none` for one on the same machine. Without it a platform admin hands links over.',
    ),
  PARLEY_MAIL_FROM: z
    .string()
    .refine((text) => parseSender(text) !== null, 'write an address, or Name <address>')
    .transform((text) => parseSender(text) as Sender)
    .optional()
    .describe('Whom mails come from, `Name <address>`; required with `PARLEY_SMTP_URL`.'),
});
type MailConfig = z.output<typeof mailConfig>;

/** Arguments for every schema with these variables: `schema.refine(...mailRule)`. */
export const mailRule = [
  ({ PARLEY_SMTP_URL: url, PARLEY_MAIL_FROM: from }: MailConfig) => url === undefined || from !== undefined,
  { path: ['PARLEY_MAIL_FROM'], message: 'is missing: say whom mails come from', when: () => true },
] as [(config: MailConfig) => boolean, { path: string[]; message: string; when: () => boolean }];

const unnamed: Sender = { name: 'Parley', address: 'parley@localhost' };

/** Opens the mail server of the settings; without one, the mailer that `otherwise` opens. */
export async function openMailer(
  { PARLEY_SMTP_URL: url, PARLEY_MAIL_FROM: from = unnamed }: MailConfig,
  otherwise: (from: Sender) => Mailer | Promise<Mailer>,
): Promise<Mailer> {
  return url === undefined ? otherwise(from) : new SmtpMailer({ url, from });
}
