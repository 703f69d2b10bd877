import { FolderBlobs } from '../index.ts';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeBlobs } from '@parley/testing';

describeBlobs('folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-blobs-'));
  const files = async (): Promise<number> =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;
  return {
    blobs: await FolderBlobs.open(folder),
    count: files,
    reopen: () => FolderBlobs.open(folder),
    dispose: () => rm(folder, { recursive: true }),
  };
});
