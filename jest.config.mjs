import { natively, nodeProject, webProject } from './packages/tooling/src/jest-preset.mjs';

const projects = [
  {
    ...nodeProject,
    displayName: 'node',
    rootDir: '.',
    testMatch: [
      '<rootDir>/{packages,services}/*/src/**/*.spec.ts',
      '<rootDir>/bff/src/**/*.spec.ts',
      '<rootDir>/{,frontend/}*.spec.ts',
      '<rootDir>/infra/**/*.spec.ts',
    ],
    testPathIgnorePatterns: ['\\.(int|deep)\\.spec\\.ts$', '/node_modules/', '/dist/'],
  },
  {
    ...webProject,
    displayName: 'web',
    rootDir: './frontend',
    testMatch: ['<rootDir>/src/**/*.test.{ts,tsx}'],
    moduleNameMapper: { '\\.css$': '<rootDir>/src/testing/empty-style.mjs' },
    setupFilesAfterEnv: ['<rootDir>/src/testing/setup.ts'],
  },
];

export default {
  testTimeout: 60_000,
  // Many files wait for the store, for processes or for outages: two more workers use what they leave of two cores.
  maxWorkers: 4,
  // Installations leave memory behind; a worker that has much of it is replaced.
  workerIdleMemoryLimit: '1500MB',
  projects: projects.map(natively),
};
