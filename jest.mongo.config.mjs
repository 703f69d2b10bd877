import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { natively, nodeProject } from './packages/tooling/src/jest-preset.mjs';

/** Specs of the platform and of the test store that start a store; the others keep no documents. */
const onTestStore = globSync('packages/{platform,testing}/src/**/*.spec.ts', { cwd: import.meta.dirname })
  .filter((file) => !file.endsWith('.int.spec.ts'))
  .filter((file) =>
    /\b(testStore\(|startTestStore\(|makeEmbeddedEventLog\b)/.test(
      readFileSync(join(import.meta.dirname, file), 'utf8'),
    ),
  );

/** All of those, of the whole product, and those of owners, seats, founders and erasing, for `npm run test:mongo`. */
export default {
  ...natively(nodeProject),
  displayName: 'mongo',
  rootDir: '.',
  testMatch: [
    ...onTestStore.map((file) => `<rootDir>/${file}`),
    '<rootDir>/embedded/src/{embedded-platform,full-disk}.spec.ts',
    '<rootDir>/product-tests/*.spec.ts',
    '<rootDir>/services/org/src/rights/{guard-at-once,founders}.spec.ts',
    '<rootDir>/services/chat/src/{answers/erasure/conversation-eraser,knowledge/documents/document-eraser,knowledge/files/file-eraser}.spec.ts',
  ],
  testPathIgnorePatterns: ['\\.(int|deep)\\.spec\\.ts$'],
  testTimeout: 60_000,
  maxWorkers: 2,
};
