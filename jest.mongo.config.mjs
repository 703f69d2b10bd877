import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { natively, nodeProject } from './packages/tooling/src/jest-preset.mjs';

const root = import.meta.dirname;
const opensStore = /\b(testStore\(|startTestStore\(|openTestStore\(|OwnerBench\b|makeEmbeddedEventLog\b)/;
const setUps = /from '(\.{1,2}\/[^']*\.spec-setup\.ts)'/g;
const known = new Map();

/** Tells whether a spec, or a set-up that it imports, starts a store: then it keeps documents. */
function keepsDocuments(file) {
  if (!known.has(file)) {
    known.set(file, false);
    const source = readFileSync(file, 'utf8');
    const imported = [...source.matchAll(setUps)].map(([, path]) => join(dirname(file), path));
    known.set(file, opensStore.test(source) || imported.some(keepsDocuments));
  }
  return known.get(file);
}
const keeping = globSync('{packages/{platform,testing},services/*,bff}/src/**/*.spec.ts', { cwd: root })
  .map((file) => join(root, file))
  .filter((file) => !/\.(int|deep)\.spec\.ts$/.test(file) && keepsDocuments(file));

/** Every spec that keeps documents, and those of the whole product, for `npm run test:mongo`. */
export default {
  ...natively(nodeProject),
  displayName: 'mongo',
  rootDir: '.',
  testMatch: [
    ...keeping.map((file) => `<rootDir>/${relative(root, file)}`),
    '<rootDir>/embedded/src/{embedded-platform,full-disk}.spec.ts',
    '<rootDir>/product-tests/*.spec.ts',
  ],
  testPathIgnorePatterns: ['\\.(int|deep)\\.spec\\.ts$'],
  // The server of these tests is many times slower than the embedded store.
  testTimeout: 180_000,
  maxWorkers: 2,
};
