import mongoose from 'mongoose';
import { join } from 'node:path';
import { downloadPath } from './downloads.ts';
import { installPythonPackage } from './python-package.ts';
import { startServer, type Skipped, type TestServer } from './test-server.ts';

const version = '0.7.0b3';
const home = downloadPath(`secantusdb-${version}`);

/**
 * SecantusDB: a MongoDB-compatible server written independently of ours, the second opinion about what the stores do.
 * GPL-2.0, so it is installed for tests on the machine that runs them, never shipped and never imported.
 */
export async function startSecantus(): Promise<TestServer | Skipped> {
  const reason = installPythonPackage(`secantusdb==${version}`, home);
  if (reason !== null) return { skipped: reason };
  const url = (port: number): string => `mongodb://127.0.0.1:${port}/?directConnection=true`;
  return startServer({
    name: 'secantus',
    version,
    url,
    command: (port, folder) => [
      join(home, 'bin/python'),
      '-m',
      'secantus',
      '--port',
      String(port),
      '--storage-path',
      join(folder, 'data'),
      '--enable-test-commands',
    ],
    isServing: async (port) => {
      const connection = mongoose.createConnection(url(port), { serverSelectionTimeoutMS: 1_000 });
      try {
        await connection.asPromise();
        await connection.getClient().db('admin').command({ ping: 1 });
        return true;
      } finally {
        await connection.close();
      }
    },
  });
}
