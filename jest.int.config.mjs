import { nodeProject } from './packages/tooling/src/jest-preset.mjs';

/** Tests against real servers, which they start themselves. */
export default {
  ...nodeProject,
  displayName: 'int',
  rootDir: '.',
  testMatch: [
    '<rootDir>/{packages,services}/*/src/**/*.int.spec.ts',
    '<rootDir>/{bff,cli,embedded}/src/**/*.int.spec.ts',
    '<rootDir>/infra/**/*.int.spec.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testTimeout: 120_000,
  maxWorkers: 1,
};
