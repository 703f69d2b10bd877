import { join } from 'node:path';
import { downloadPath } from './downloads.ts';
import { installPythonPackage } from './python-package.ts';
import { startServer, type Skipped, type TestServer } from './test-server.ts';

const version = '5.2.5';
const home = downloadPath(`moto-${version}`);

/**
 * An S3-compatible server that keeps objects in memory: moto, Apache-2.0, for tests only. Any key and secret open it.
 */
export async function startS3(): Promise<TestServer | Skipped> {
  const reason = installPythonPackage(`moto[server,s3]==${version}`, home);
  if (reason !== null) return { skipped: reason };
  const url = (port: number): string => `http://127.0.0.1:${port}`;
  return startServer({
    name: 's3',
    version,
    url,
    command: (port) => [join(home, 'bin/python'), '-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)],
    isServing: async (port) => (await fetch(url(port))).ok,
  });
}
