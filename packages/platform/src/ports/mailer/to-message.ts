import { checkMail, type Mail } from './mailer.ts';

/** The sender of emails. */
export type Sender = { readonly name: string; readonly address: string };

/** Parses `Parley <no-reply@example.org>` or the bare address; null for anything else. */
export function parseSender(text: string): Sender | null {
  const [, name = '', address] = /^(?:([^<>"\p{Cc}]*?)\s*<)?([^\s<>@"]+@[^\s<>@"]+?)>?$/u.exec(text.trim()) ?? [];
  return address === undefined ? null : { name, address };
}

/**
 * Returns the email in the form of nodemailer. Name and address are separate: in one text, a comma would make two
 * recipients. Throws `MailRefused`.
 */
export function toMessage(mail: Mail, from: Sender) {
  checkMail(mail);
  const { id, to, subject, text, html, language } = mail;
  return {
    from: { ...from },
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${from.address.slice(from.address.indexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
