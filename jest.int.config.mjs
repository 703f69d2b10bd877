import { natively, nodeProject } from './packages/tooling/src/jest-preset.mjs';

/** Tests against real servers, which they start themselves. */
export default {
  ...natively(nodeProject),
  displayName: 'int',
  rootDir: '.',
  testMatch: [
    '<rootDir>/{packages,services}/*/src/**/*.int.spec.ts',
    '<rootDir>/{bff,cli}/src/**/*.int.spec.ts',
    '<rootDir>/{product-tests,infra}/**/*.int.spec.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  // A test that starts and kills processes waits for each as long as a busy machine needs.
  testTimeout: 300_000,
  maxWorkers: 1,
};
