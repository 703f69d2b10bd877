import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Mailer, type Mail } from '../mailer.ts';
import { toMessage, type Sender } from '../to-message.ts';

/**
 * Writes emails as files of one folder, `<id>.eml`, which any mail program opens. An email that is sent again is one
 * file.
 */
export class FolderMailer extends Mailer {
  readonly delivers = false;

  private constructor(
    private readonly folder: string,
    private readonly from: Sender,
  ) {
    super();
  }

  /** Makes the folder. */
  static async open(folder: string, from: Sender): Promise<FolderMailer> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new FolderMailer(resolve(folder), from);
  }

  async send(mail: Mail): Promise<void> {
    const message = toMessage(mail, this.from);
    // Loaded with the first email, because most starts send none.
    const { createTransport } = await import('nodemailer');
    const composer = createTransport({ streamTransport: true, buffer: true });
    const { message: bytes } = await composer.sendMail(message);
    await this.keep(`${mail.id}.eml`, bytes as Buffer);
  }

  async close(): Promise<void> {}

  private async keep(name: string, bytes: Buffer): Promise<void> {
    const temporary = join(this.folder, `.${name}.tmp`);
    try {
      const file = await open(temporary, 'w', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, join(this.folder, name));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}
