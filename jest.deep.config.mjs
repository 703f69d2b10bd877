import { natively, nodeProject } from './packages/tooling/src/jest-preset.mjs';

/** Specs whose subject is time, that kill or wait for long, or plant every fault, one after the other: `npm run test:deep`. */
export default {
  ...natively(nodeProject),
  displayName: 'deep',
  rootDir: '.',
  testMatch: [
    '<rootDir>/{packages,services}/*/src/**/*.deep.spec.ts',
    '<rootDir>/{bff,embedded,cli}/src/**/*.deep.spec.ts',
    '<rootDir>/{product-tests,infra}/**/*.deep.spec.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  testTimeout: 300_000,
  maxWorkers: 1,
};
