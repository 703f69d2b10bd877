import { nodeProject } from './packages/tooling/src/jest-preset.mjs';

export default {
  ...nodeProject,
  displayName: 'e2e',
  rootDir: './e2e',
  testMatch: ['<rootDir>/**/*.e2e.ts'],
  testTimeout: 120_000,
  maxWorkers: 1,
};
