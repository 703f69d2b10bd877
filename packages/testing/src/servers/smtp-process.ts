// A mail server in a process of its own: `fork('smtp-process.ts', [JSON.stringify(options)])` tells its port, then each
// mail. What it does with a recipient stands in the address: `refused@`, `refused-text@`, `later-2@` (twice), `hang@`.
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { text } from 'node:stream/consumers';

type Options = {
  readonly secure?: boolean;
  readonly noTls?: boolean;
  readonly login?: string;
  readonly port?: number;
  readonly key?: string;
  readonly cert?: string;
};
const { secure = false, noTls = false, login, port = 0, key, cert } = JSON.parse(process.argv[2] ?? '{}') as Options;

const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });
const tries = new Map<string, number>();

function faultOf(address: string): Error | null {
  const [name = ''] = address.split('@');
  if (name === 'refused') return refusal(550, 'No such person here');
  const times = Number(/^later-(\d+)/.exec(name)?.[1] ?? 0);
  const count = (tries.get(address) ?? 0) + 1;
  tries.set(address, count);
  return count <= times ? refusal(451, 'Come again later') : null;
}
const nameOf = ({ envelope }: SMTPServerSession): string => envelope.rcptTo[0]?.address.split('@')[0] ?? '';

const server = new SMTPServer({
  secure,
  ...(key !== undefined && cert !== undefined && { key, cert }),
  disabledCommands: noTls ? ['STARTTLS'] : [],
  authOptional: login === undefined,
  logger: false,
  onAuth({ username, password }, _session, done) {
    if (`${username}:${password}` === login) done(null, { user: username });
    else done(refusal(535, 'Wrong name or password'));
  },
  onRcptTo({ address }, _session, done) {
    done(faultOf(address));
  },
  onData(stream, session, done) {
    text(stream).then(
      (raw) => {
        if (nameOf(session) === 'hang') return;
        if (nameOf(session) === 'refused-text') return done(refusal(554, 'Not with these words'));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address;
        // Taken when the test has it: the answer must not be faster.
        process.once('message', () => done());
        process.send?.({ mail: { from, to, raw, isEncrypted: session.secure, user: session.user ?? null } });
      },
      (error: Error) => done(error),
    );
  },
});
server.on('error', () => undefined);
server.listen(port, '127.0.0.1', () => {
  process.send?.({ port: (server.server.address() as { port: number }).port });
});
