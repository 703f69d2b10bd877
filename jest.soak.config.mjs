import e2e from './jest.e2e.config.mjs';

/** What is whole in the soak only. */
export default {
  ...e2e,
  displayName: 'soak',
  rootDir: '.',
  testMatch: ['<rootDir>/{e2e,embedded/src,cli/src,packages/testing/src}/*.soak.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
};
