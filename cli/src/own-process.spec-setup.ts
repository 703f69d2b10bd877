import { afterEach } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../dist/cli.js');

export type Started = { readonly child: ChildProcess; readonly url: string; readonly setupToken: string };

/** The one-process edition as a process of its own, as built, started as often as wanted on one folder per test. */
export function ownProcesses() {
  const children: ChildProcess[] = [];
  let data = '';
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
    rmSync(data, { recursive: true, force: true });
    data = '';
  });
  return {
    folder: () => data,
    start: async (settings: Record<string, string>): Promise<Started> => {
      if (data === '') data = mkdtempSync(join(tmpdir(), 'parley-own-process-'));
      const child = spawn(process.execPath, [program, '--port', '0', '--data', data], {
        env: { ...process.env, NODE_OPTIONS: '', ...settings },
        cwd: data,
      });
      children.push(child);
      return { child, ...(await readyOf(child)) };
    },
  };
}

async function readyOf(child: ReturnType<typeof spawn>): Promise<Omit<Started, 'child'>> {
  const line = await new Promise<string>((resolve, reject) => {
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        out += chunk.toString();
        if (out.includes('ready at')) resolve(out);
      });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${out}`)));
  });
  const [url = '', setup] = line.match(/http:\/\/[^\s;]+/g) ?? [];
  return { url, setupToken: setup === undefined ? '' : (new URL(setup).searchParams.get('setup') ?? '') };
}
