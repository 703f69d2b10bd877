import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { createLogger, logFile } from '@parley/platform/logging';
import { describeSkipped, eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from './data-folder.ts';
import { diskNote } from './disk-note.ts';
import { embeddedConfig } from './embedded-settings.ts';
import { startEmbedded, type RunningParley } from './start-embedded.ts';
import { newPerson, password } from './test-parley.spec-setup.ts';

const disk = mkdtempSync(join(tmpdir(), 'parley-full-disk-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk], { encoding: 'utf8' });
const others = join(disk, 'others');
let parley: RunningParley;
let note: () => string | null;

beforeAll(async () => {
  if (mounted.status !== 0) return;
  const folder = await openDataFolder(join(disk, 'data'));
  note = diskNote(folder);
  parley = await startEmbedded({
    folder,
    logger: createLogger({ name: 'test', destination: logFile(join(folder.logs, 'parley.log')) }),
    failpoint: async () => {},
    checkResponses: true,
    config: embeddedConfig.parse({ PARLEY_PORT: '0', PARLEY_REGISTRATION: 'open' }),
  });
}, 60_000);
afterAll(async () => {
  if (mounted.status === 0) {
    await parley.close();
    // Lazily: the log is still open.
    execFileSync('umount', ['-l', disk]);
  }
  rmSync(disk, { recursive: true, force: true });
});

/** All but what the product itself takes in the same moment. */
function fillDisk(): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(others, Buffer.alloc(bavail * bsize - 262_144));
}

const why = `no file system can be mounted here: ${mounted.stderr.trim()}`;
if (mounted.status !== 0) describeSkipped('a full disk', { skipped: why });
else
  describe('a full disk', () => {
    test('ends nothing: people sign in, read and delete, writes say what to do, and all goes on once there is room', async () => {
      const person = await newPerson(parley.url, { organisation: 'Full' });
      await person.upload('kept.md', 'This was written before.');
      const gone = await person.upload('gone.md', 'This is deleted.');
      const [keptId, newFileId] = [newId('file'), newId('file')];
      await person.attach(keptId, 'kept.txt', 'This was attached before.');
      const conversation = newId('conversation');
      await person.send(conversation, 'Is this kept?');
      expect(note()).toBeNull();
      fillDisk();
      const problem = { code: 'platform.storage-full', detail: expect.stringContaining('makes room') };
      const full = { status: 507, problem };
      await eventually(
        () => expect(person.copy().createOrganisation('Another')).rejects.toMatchObject(full),
        'a write should be refused',
      );
      // More than is left, so that a write that just gave some room back changes nothing.
      await expect(person.upload('new.md', 'This is not. '.repeat(30_000))).rejects.toMatchObject(full);

      await expect(person.attach(newFileId, 'new.txt', 'This is not. '.repeat(30_000))).rejects.toMatchObject(full);

      const again = new ParleyClient(parley.url);
      await again.signIn(person.me?.email ?? '', password);
      again.orgId = person.orgId;
      const { items } = await again.call('GET /api/chat/documents');
      expect(items.map(({ name }) => name)).toEqual(['gone.md', 'kept.md']);
      const ids = [keptId, newFileId].join();
      const files = (await again.call('GET /api/chat/files', { query: { ids } })).items;
      expect(files.map(({ name }) => name)).toEqual(['kept.txt']);
      const kept = await again.raw('GET', `/api/chat/files/${keptId}/content`);
      expect(await kept.text()).toBe('This was attached before.');
      expect(note()).toContain('full');
      await again.call('DELETE /api/chat/documents/:documentId', { params: { documentId: gone.id } });
      await again.call('DELETE /api/chat/conversations/:conversationId', { params: { conversationId: conversation } });
      const left = await again.call('GET /api/chat/documents');
      expect(left.items.map(({ name }) => name)).toEqual(['kept.md']);
      await again.call('DELETE /api/auth/sessions/current');

      rmSync(others);
      await eventually(() => person.upload('new.md', 'Now it is.'), 'writes should go on');
      await eventually(() => person.attach(newFileId, 'new.txt', 'Now it is.'), 'files should be stored again');
      await eventually(() => note() === null, 'readiness should say nothing any more');
    }, 60_000);
  });
