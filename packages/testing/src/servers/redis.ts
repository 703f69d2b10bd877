import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { startServer, type Skipped, type TestServer } from './test-server.ts';

/** Redis 7: `PEXPIREAT … NX`, which the key-value store needs, came with it. */
const oldestMajor = 7;

/** A Redis server. Without `isDurable` it forgets everything when it is killed. */
export async function startRedis(options: { readonly isDurable?: boolean } = {}): Promise<TestServer | Skipped> {
  const asked = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
  if (asked.error) return { skipped: 'no redis-server here (Debian: redis-server)' };
  const version = /v=(\S+)/.exec(asked.stdout)?.[1] ?? 'unknown';
  if (Number.parseInt(version, 10) < oldestMajor)
    return { skipped: `Redis ${version} is too old, ${oldestMajor} is needed` };
  const keeping = options.isDurable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
  return startServer({
    name: 'redis',
    version,
    url: (port) => `redis://127.0.0.1:${port}`,
    command: (port, folder) => [
      'redis-server',
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--save',
      '',
      ...keeping,
    ],
    isServing: async (port) => (await askRedis(`redis://127.0.0.1:${port}`, 'PING')) === '+PONG',
  });
}

/** Sends one command and gives the answer: its line as Redis writes it, or the text of a longer one. */
export function askRedis(url: string, command: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => void socket.write(`${command}\r\n`));
    socket.setEncoding('utf8');
    socket.setTimeout(5_000, () => socket.destroy(new Error('Redis does not answer.')));
    let answer = '';
    socket.on('data', (text: string) => {
      answer += text;
      const end = answer.indexOf('\r\n');
      const length = answer.startsWith('$') ? Number(answer.slice(1, end)) : 0;
      if (end < 0 || answer.length < end + 2 + length) return;
      socket.destroy();
      resolve(length > 0 ? answer.slice(end + 2, end + 2 + length) : answer.slice(0, end));
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('Redis closed the connection.')));
  });
}
