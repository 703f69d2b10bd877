import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

test.each([
  ['docker-compose.yml', /image: parley(?:-service)?:(\S+)/g, version],
  ['k8s/base/kustomization.yaml', /newTag: (\S+)/g, version],
  // A Job can't be changed: each release needs its own.
  ['k8s/base/jobs/migrate.yaml', /name: migrate-(\S+)/g, version.replaceAll('.', '-')],
  ['docs/how-to/deploy-on-kubernetes.md', /job\/migrate-([\d-]*\d)/g, version.replaceAll('.', '-')],
])('%s names the version of this release', (path, pattern, expected) => {
  const named = [...read(path).matchAll(pattern)].map(([, each]) => each);
  expect(named.length).toBeGreaterThan(0);
  expect(new Set(named)).toEqual(new Set([expected]));
});
