/** A complete email to one person. */
export type Mail = {
  /**
   * Identifies the email for ever, in `[A-Za-z0-9_-]`. Its `Message-ID` is made from this id, so that a recipient who
   * gets the email twice can tell.
   */
  readonly id: string;
  /** The recipient: one address, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The language of its text in BCP 47. */
  readonly language: string;
};

/** Sends emails to people. */
export abstract class Mailer {
  /** True if emails go to their recipients; otherwise an operator has to pass them on. */
  abstract readonly delivers: boolean;
  /**
   * Resolves when another system has accepted the email. Rejects with `MailRefused` if trying again is useless, and
   * with another error if it can help. After another error, as after any broken connection, the email can have been
   * sent all the same. Sending again is harmless if `delivers` is false: the email exists once.
   */
  abstract send(mail: Mail): Promise<void>;
  abstract close(): Promise<void>;
}

/** The email will never be accepted: its recipient is refused, or it is invalid. */
export class MailRefused extends Error {}

/** The mailer without a mail server and without a folder: links are shown to a platform admin, who passes them on. */
export class NoMailer extends Mailer {
  readonly delivers = false;
  async send(): Promise<void> {}
  async close(): Promise<void> {}
}

const breaksLine = /\p{Cc}|\u2028|\u2029/u;

/** Throws `MailRefused` on an address or a subject that could write a header of its own, and on several addresses. */
export function checkMail({ id, to, subject }: Mail): void {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(id)) throw new MailRefused('The id of the mail has signs that none has.');
  if (breaksLine.test(to) || !/^[^\s@,;:<>"()[\]\\]+@[^\s@,;:<>"()[\]\\]+$/.test(to))
    throw new MailRefused('The recipient is not one plain address.');
  if (breaksLine.test(subject)) throw new MailRefused('The subject has more than one line.');
}
