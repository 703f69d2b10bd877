import { nodeProject } from './packages/tooling/src/jest-preset.mjs';

/**
 * Left out: what needs no document store, and `backup`, `move-folder` and `move-again`, which are about the data folder's own file.
 */
const leftOut = [
  'blobs',
  'memory-adapters',
  'embedded-settings',
  'backup',
  'move-folder',
  'move-again',
  '[a-z0-9-]+\\.int',
];

/** All other specs of the conformance suites and of the whole product, and those of owners, seats, founders and erasing, for `npm run test:mongo`. */
export default {
  ...nodeProject,
  displayName: 'mongo',
  rootDir: '.',
  testMatch: [
    '<rootDir>/packages/testing/src/*.spec.ts',
    '<rootDir>/embedded/src/*.spec.ts',
    '<rootDir>/services/org/src/rights/{guard-at-once,founders}.spec.ts',
    '<rootDir>/services/chat/src/{erasure/conversation-eraser,documents/document-eraser}.spec.ts',
  ],
  testPathIgnorePatterns: [`/(${leftOut.join('|')})\\.spec\\.ts$`],
  testTimeout: 60_000,
  maxWorkers: 2,
};
