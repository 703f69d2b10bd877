export { checkMail, Mailer, MailRefused, NoMailer, type Mail } from './mailer.ts';
export { FolderMailer } from './folder/folder-mailer.ts';
export { mailConfig, mailRule, openMailer } from './mail-config.ts';
export { SmtpMailer } from './smtp/smtp-mailer.ts';
export { parseSender, type Sender } from './to-message.ts';
