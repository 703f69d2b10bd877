import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MailRefused, type Mail, type Mailer } from '@parley/platform/mailer';

/** A mailer, and the raw texts of what has arrived. */
export type MailerHarness = {
  readonly mailer: Mailer;
  readonly delivers: boolean;
  arrived(): Promise<readonly string[]>;
  dispose(): Promise<void>;
};

export const aMail = (changed: Partial<Mail> = {}): Mail => ({
  id: 'mal_01M7Z6X0BT7J6QPJC5FQE3HR0B',
  to: 'ines@lindmoor.example',
  subject: 'Set a new password',
  text: 'Choose one here:\n\nhttps://parley.example/en/reset-password#abc',
  html: '<p>Choose one <a href="https://parley.example/en/reset-password#abc">here</a></p>',
  language: 'en',
  ...changed,
});

let harness: MailerHarness;

/** The promise of port Mailer. */
export function describeMailer(name: string, makeMailer: () => Promise<MailerHarness>): void {
  describe(`mailer: ${name}`, () => {
    beforeEach(async () => {
      harness = await makeMailer();
    });
    afterEach(async () => {
      await harness.mailer.close();
      await harness.dispose();
    });

    test('a mail arrives whole, with text and HTML, named by its id', async () => {
      await harness.mailer.send(aMail());
      const [raw = ''] = await harness.arrived();
      expect(harness.mailer.delivers).toBe(harness.delivers);
      expect(raw).toMatch(/^Message-ID: <mal_01M7Z6X0BT7J6QPJC5FQE3HR0B@parley\.example>\r?$/im);
      expect(raw).toMatch(/^To: ines@lindmoor\.example\r?$/m);
      expect(raw).toMatch(/^From: Parley <no-reply@parley\.example>\r?$/m);
      expect(raw).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
      expect(raw).toMatch(/^Content-Language: en\r?$/m);
      expect(raw).toContain('multipart/alternative');
      expect(raw).toContain('text/plain');
      expect(raw).toContain('text/html');
    });

    test('letters of every script arrive', async () => {
      await harness.mailer.send(aMail({ subject: 'تعيين كلمة مرور', text: 'مرحبا Grüße' }));
      const [raw = ''] = await harness.arrived();
      const subject = /^Subject: =\?UTF-8\?B\?([^?]*)\?=/im.exec(raw)?.[1] ?? '';
      expect(Buffer.from(subject, 'base64').toString()).toBe('تعيين كلمة مرور');
    });

    test.each([
      ['a line break in the address', { to: 'a@b.example\r\nBcc: c@d.example' }],
      ['two addresses', { to: 'a@b.example, c@d.example' }],
      ['a name beside the address', { to: 'Somebody <a@b.example>' }],
      ['no address', { to: 'nobody' }],
      ['a line break in the subject', { subject: 'Hello\r\nBcc: c@d.example' }],
      ['a line separator in the subject', { subject: 'Hello\u2028Bcc: c@d.example' }],
      ['an id that leaves its folder', { id: '../elsewhere' }],
    ])('%s is refused for good, and nothing arrives', async (_name, changed) => {
      await expect(harness.mailer.send(aMail(changed))).rejects.toBeInstanceOf(MailRefused);
      expect(await harness.arrived()).toEqual([]);
    });
  });
}
