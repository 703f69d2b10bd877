import { natively, nodeProject } from './packages/tooling/src/jest-preset.mjs';

/** Specs that start the whole product: `npm run test:product`. */
export default {
  ...natively(nodeProject),
  displayName: 'product',
  rootDir: '.',
  testMatch: ['<rootDir>/product-tests/**/*.spec.ts', '<rootDir>/{embedded,cli}/src/**/*.spec.ts'],
  testPathIgnorePatterns: ['\\.(int|deep)\\.spec\\.ts$', '/node_modules/', '/dist/'],
  testTimeout: 60_000,
  maxWorkers: 2,
  // Installations leave memory behind; a worker that has much of it is replaced.
  workerIdleMemoryLimit: '1500MB',
};
