import { describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from './servers/index.ts';

const many = 300;
const holder = `import('${join(import.meta.dirname, 'servers/free-port.ts')}').then(async ({ freePort }) => {
  const ports = [];
  while (ports.length < ${many}) ports.push(await freePort());
  process.stdout.write(JSON.stringify(ports) + '\\n');
  process.stdin.resume();
});`;

describe('free ports', () => {
  test('none is given twice, not even while another process takes as many', async () => {
    const other = spawn(process.execPath, ['--input-type=module', '-e', holder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      const [theirs] = (await other.stdout.take(1).toArray()) as [Buffer];
      const ours: number[] = [];
      while (ours.length < many) ours.push(await freePort());
      expect(new Set([...(JSON.parse(theirs.toString()) as number[]), ...ours]).size).toBe(2 * many);
    } finally {
      other.kill();
    }
  });
});
