import { Mailer, MailRefused, type Mail } from '../mailer.ts';
import { toMessage, type Sender } from '../to-message.ts';

export type SmtpOptions = {
  /**
   * `smtps://user:password@host` (TLS from the first byte, 465) or `smtp://user:password@host` (587). The latter
   * requires STARTTLS, unless it ends with `?tls=none`.
   */
  readonly url: string;
  readonly from: Sender;
  /** Milliseconds for one email from the first byte to the last. */
  readonly timeoutMs?: number;
};

/** Long enough for servers that let strangers wait, and shorter than the lease under which an email is sent. */
const defaultTimeoutMs = 45_000;

/** Sends emails by a mail server, each on its own connection. */
export class SmtpMailer extends Mailer {
  readonly delivers = true;
  private readonly timeoutMs: number;

  constructor(private readonly options: SmtpOptions) {
    super();
    this.timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  }

  async send(mail: Mail): Promise<void> {
    const message = toMessage(mail, this.options.from);
    // Loaded with the first email, because most starts send none.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(connectionOf(this.options.url));
    try {
      await transport.sendMail({ ...message, signal: AbortSignal.timeout(this.timeoutMs) });
    } catch (error) {
      throw isFinal(error) ? new MailRefused((error as Error).message, { cause: error }) : error;
    } finally {
      transport.close();
    }
  }

  async close(): Promise<void> {}
}

function connectionOf(address: string) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(address);
  const secure = protocol === 'smtps:';
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const isPlain = searchParams.get('tls') === 'none';
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !isPlain,
    ignoreTLS: isPlain,
    ...(username !== '' && { auth }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

type SmtpError = { readonly command?: string; readonly responseCode?: number };

/**
 * Returns whether a refusal is final, because it concerns this recipient or this text (RFC 5321, 4.2.1). A refused
 * login or sender can be corrected, and the email is sent after that.
 */
function isFinal(error: unknown): boolean {
  const { command, responseCode = 0 } = error as SmtpError;
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
}
