import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type ReceivedMail = {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came over the line, headers first. */
  readonly raw: string;
  readonly isEncrypted: boolean;
  /** Who has signed in. */
  readonly user: string | null;
};
export type SmtpServerOptions = {
  /** TLS from the first byte. */
  readonly secure?: boolean;
  /** Offers no STARTTLS. */
  readonly noTls?: boolean;
  /** `user:password`; without it nobody has to sign in. */
  readonly login?: string;
  readonly port?: number;
  readonly key?: string;
  readonly cert?: string;
};

/** A mail server of the package `smtp-server` in a process of its own; recipients say what it does with them. */
export class SmtpTestServer {
  readonly mails: ReceivedMail[] = [];

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    child.on('message', ({ mail }: { mail?: ReceivedMail }) => {
      if (!mail) return;
      this.mails.push(mail);
      child.send('taken');
    });
  }

  static async start(options: SmtpServerOptions = {}): Promise<SmtpTestServer> {
    // Only types to strip: Node runs it as it is.
    const child = fork(join(import.meta.dirname, 'smtp-process.ts'), [JSON.stringify(options)], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: {},
    });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return new SmtpTestServer(child, port);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }
}
