import { afterEach, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeLock } from './lock-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'lock-file-'));
const file = join(folder, 'store.lock');
let parent: ChildProcess | undefined;
afterEach(() => {
  parent?.kill();
  rmSync(folder, { recursive: true, force: true });
});

const fieldsOf = (pid: number): string[] => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
const nameOf = (pid: number): string => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
const soon = () => new Promise((resolve) => setTimeout(resolve, 5));
const systemTells = existsSync('/proc/self/stat');

(systemTells ? test : test.skip)('a killed process that nobody has asked how it ended holds no lock', async () => {
  // The shell becomes a `sleep`, which never asks how its child ended. Until then it may still ask.
  parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const pid = Number(await new Promise((resolve) => parent!.stdout!.once('data', resolve)));
  while (nameOf(parent.pid!) !== 'sleep') await soon();
  const holder = { pid, startedAt: fieldsOf(pid)[19], socketFolder: '' };
  writeFileSync(file, JSON.stringify(holder));
  expect(() => takeLock(file, '')).toThrow(`in use by process ${pid}`);
  process.kill(pid, 'SIGKILL');
  while (fieldsOf(pid)[0] !== 'Z') await soon();
  takeLock(file, '')();
});
