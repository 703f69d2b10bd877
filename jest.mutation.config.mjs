import { nodeProject } from './packages/tooling/src/jest-preset.mjs';

/** The specs of the file that StrykerJS mutates, in its copy of the repository: see mutation.mjs in packages/tooling. */
export default {
  ...nodeProject,
  rootDir: '.',
  testMatch: process.env.PARLEY_MUTATION_SPECS?.split(' ').map((spec) => `<rootDir>/${spec}`),
  testTimeout: 30_000,
};
