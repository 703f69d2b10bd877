import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

/** An error with a code that callers can tell apart. */
export function startError(code: 'data-folder-locked' | 'data-newer' | 'data-unwritable', message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Who uses a data file, and the folder of its socket. */
type Holder = { pid: number; startedAt: string; socketFolder: string };

/**
 * When a process started, as the system tells it; a reused number has another time. Empty where the system doesn't
 * tell. Undefined for one that is gone, also while its number stays until whoever started it has asked how it ended.
 */
function startTimeOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, threads, startedAt = ''] = [fields[0], Number(fields[17]), fields[19]];
    // Its other threads may still be ending.
    return state === 'Z' && threads <= 1 ? undefined : startedAt;
  } catch {
    return '';
  }
}

function isAlive(holder: Holder): boolean {
  const startedAt = startTimeOf(holder.pid);
  return startedAt !== undefined && (startedAt === '' || holder.startedAt === '' || startedAt === holder.startedAt);
}

function readHolder(file: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>;
    return typeof holder.pid === 'number'
      ? { pid: holder.pid, startedAt: String(holder.startedAt ?? ''), socketFolder: String(holder.socketFolder ?? '') }
      : undefined;
  } catch {
    return undefined;
  }
}

function tryCreate(file: string, socketFolder: string): boolean {
  let handle: number;
  try {
    handle = openSync(file, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw startError('data-unwritable', `the data folder cannot be written: ${file}: ${code}`);
  }
  writeSync(
    handle,
    JSON.stringify({ pid: process.pid, startedAt: startTimeOf(process.pid) ?? '', socketFolder } satisfies Holder),
  );
  fsyncSync(handle);
  closeSync(handle);
  return true;
}

/** Takes the lock file of a data file; the lock of a dead process is taken over. Returns how to release it. */
export function takeLock(file: string, socketFolder: string): () => void {
  for (let attempt = 0; attempt < 3; attempt++) {
    if (tryCreate(file, socketFolder)) return () => rmSync(file, { force: true });
    const holder = readHolder(file);
    if (holder && isAlive(holder))
      throw startError('data-folder-locked', `the data is in use by process ${holder.pid} (lock file ${file})`);
    if (holder && /[/\\]parley-[A-Za-z0-9]+$/.test(holder.socketFolder))
      rmSync(holder.socketFolder, { recursive: true, force: true });
    rmSync(file, { force: true });
  }
  throw startError('data-folder-locked', `the lock file ${file} is contended`);
}
