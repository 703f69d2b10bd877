import { nodeProject, webProject } from './packages/tooling/src/jest-preset.mjs';

export default {
  testTimeout: 60_000,
  maxWorkers: 2,
  // What a file has loaded is never freed (native ES modules): at 4 GB a worker collects garbage only, and dies of it.
  workerIdleMemoryLimit: '1500MB',
  projects: [
    {
      ...nodeProject,
      displayName: 'node',
      rootDir: '.',
      testMatch: [
        '<rootDir>/{packages,services}/*/src/**/*.spec.ts',
        '<rootDir>/{bff,embedded,cli}/src/**/*.spec.ts',
        '<rootDir>/{,frontend/}*.spec.ts',
        '<rootDir>/infra/**/*.spec.ts',
      ],
      testPathIgnorePatterns: ['\\.int\\.spec\\.ts$', '/node_modules/', '/dist/'],
    },
    {
      ...webProject,
      displayName: 'web',
      rootDir: './frontend',
      testMatch: ['<rootDir>/src/**/*.test.{ts,tsx}'],
      moduleNameMapper: { '\\.css$': '<rootDir>/src/testing/empty-style.mjs' },
      setupFilesAfterEnv: ['<rootDir>/src/testing/setup.ts'],
    },
  ],
};
