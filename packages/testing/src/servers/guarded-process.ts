import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

export type GuardedProcess = {
  readonly pid: number;
  readonly log: string;
  hasExited(): boolean;
  kill(): Promise<void>;
};

/**
 * The shell waits for the server and ends it when its own input closes: so also when this process dies, however it
 * dies.
 */
const guard = `exec 3<&0
log=$1; shift
"$@" 3<&- </dev/null >>"$log" 2>&1 &
server=$!
echo $server
{ cat <&3 >/dev/null; kill -9 $server 2>/dev/null; } &
watcher=$!
wait $server
kill $watcher 2>/dev/null`;

/** Starts a program that ends with this process at the latest; what it prints goes to the file `log`. */
export async function startGuarded(command: readonly string[], log: string): Promise<GuardedProcess> {
  const shell = spawn('sh', ['-c', guard, 'guard', log, ...command], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  let hasExited = false;
  const exited = new Promise<void>((resolve, reject) => {
    shell.once('error', reject);
    shell.once('exit', () => {
      hasExited = true;
      shell.stdin.destroy();
      shell.stdout.destroy();
      resolve();
    });
  });
  exited.catch(() => undefined);
  const pid = await new Promise<number>((resolve, reject) => {
    shell.once('error', reject);
    shell.stdout.once('data', (line: Buffer) => resolve(Number(line.toString().trim())));
  });
  return {
    pid,
    log,
    hasExited: () => hasExited,
    async kill() {
      if (!hasExited) end(pid);
      await exited;
    },
  };
}

/** It may have just ended: its shell tells that a moment later. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The last lines that a program printed: why it did not start. */
export async function tailOf(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-5).join('\n');
}
