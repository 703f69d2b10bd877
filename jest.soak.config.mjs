import e2e from './jest.e2e.config.mjs';

/** What is whole in the soak only. */
export default { ...e2e, displayName: 'soak', testMatch: ['<rootDir>/**/*.soak.ts'] };
