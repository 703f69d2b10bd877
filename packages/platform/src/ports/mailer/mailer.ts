/** One mail to one person, complete. */
export type Mail = {
  /**
   * Names it for ever, in `[A-Za-z0-9_-]`: its `Message-ID` is made of it, so that whoever gets it twice can tell.
   */
  readonly id: string;
  /** One address, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The language of its words, as BCP 47 writes it. */
  readonly language: string;
};

/** Sends mails to people. */
export abstract class Mailer {
  /** Whether what is sent leaves for its recipient; else whoever runs the installation has to hand it over. */
  abstract readonly delivers: boolean;
  /**
   * Resolves when the mail is in other hands for good. Rejects with `MailRefused` when trying again is no use, and with
   * anything else when it may help; then the mail may have been sent all the same, as after any broken line. Sending a
   * mail again harms nobody where `delivers` is false: it is there once.
   */
  abstract send(mail: Mail): Promise<void>;
  abstract close(): Promise<void>;
}

/** The mail will never be taken: its recipient is refused, or it is none. */
export class MailRefused extends Error {}

/** Where nobody has named a mail server and there is no folder: links are shown to a platform admin, who hands them over. */
export class NoMailer extends Mailer {
  readonly delivers = false;
  async send(): Promise<void> {}
  async close(): Promise<void> {}
}

const breaksLine = /\p{Cc}|\u2028|\u2029/u;

/** Throws `MailRefused` on an address or a subject that could write a header of its own, and on more than one address. */
export function checkMail({ id, to, subject }: Mail): void {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(id)) throw new MailRefused('The id of the mail has signs that none has.');
  if (breaksLine.test(to) || !/^[^\s@,;:<>"()[\]\\]+@[^\s@,;:<>"()[\]\\]+$/.test(to))
    throw new MailRefused('The recipient is not one plain address.');
  if (breaksLine.test(subject)) throw new MailRefused('The subject has more than one line.');
}
