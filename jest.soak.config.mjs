import e2e from './jest.e2e.config.mjs';

/** What is whole in the soak only. */
export default {
  ...e2e,
  displayName: 'soak',
  rootDir: '.',
  testMatch: ['<rootDir>/{e2e,product-tests,cli/src}/*.soak.ts', '<rootDir>/packages/*/src/**/*.soak.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
};
