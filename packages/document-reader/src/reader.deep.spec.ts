import { expect, test } from '@jest/globals';
import { swellingPdf } from '@parley/testing/files';
import { eventually } from '@parley/testing/eventually';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { sizes } from './passage-sizes.spec-setup.ts';
import { readDocument } from './reader.ts';

// Elsewhere the heap alone is bounded.
(process.platform === 'linux' ? test : test.skip)(
  'a PDF that swells is stopped before it fills the memory',
  async () => {
    const file = swellingPdf();
    expect(file.length).toBeLessThan(1_000_000);
    expect(
      await readDocument(Readable.from([file]), { mediaType: 'application/pdf', sizes, timeoutMs: 200_000 }),
    ).toEqual({ failure: 'took-too-much-memory' });
  },
);

const register = join(import.meta.dirname, '../../tooling/src/register.mjs');
// Elsewhere there is no list of processes to look into.
(process.platform === 'linux' ? test : test.skip)(
  'a reader ends although its service was killed',
  async () => {
    const mediaType = `text/${randomUUID()}`;
    const here = new URL('.//', import.meta.url).href;
    const service = spawn(
      process.execPath,
      [
        '--conditions=parley-source',
        '--import',
        register,
        '--input-type=module',
        '--eval',
        // Only the system ends the reader, once it has used twice its time.
        `globalThis.setTimeout = () => undefined;
       const { readConfined } = await import('${here}reader.ts');
       const content = (await import('node:stream')).Readable.from([Buffer.from('for (;;);')]);
       const splitter = '${fileURLToPath(here)}probe.spec-setup.ts';
       await readConfined(content, { splitter, mediaType: '${mediaType}', timeoutMs: 1_000 });`,
      ],
      { stdio: 'ignore' },
    );
    const reader = () => readdirSync('/proc').find((name) => isNumber(name) && isReader(name));
    const isReader = (pid: string) => Number(pid) !== service.pid && ofProcess(pid, 'cmdline').includes(mediaType);
    await eventually(() => cpuTicksOf(reader() ?? 'none') > 50, 'the reader should be busy');
    service.kill('SIGKILL');
    // It ends by its own CPU time, which takes long on a busy machine.
    await eventually(() => reader() === undefined, 'the reader should end', 150_000);
  },
  180_000,
);

const isNumber = (text: string): boolean => /^\d+$/.test(text);
const cpuTicksOf = (pid: string): number => Number(ofProcess(pid, 'stat').split(' ')[13] ?? 0);

function ofProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return ''; // It has ended meanwhile.
  }
}
