import plain, { projects } from './jest.config.mjs';
import { productSpecs } from './jest.product.config.mjs';

/** The tests of `npm test` with one planted fault: see packages/testing/src/faults. */
const transform = (project) =>
  Object.fromEntries(
    Object.entries(project.transform).map(([pattern, [, options]]) => [
      pattern,
      ['<rootDir>/packages/tooling/src/fault-transform.mjs'.replace('<rootDir>', import.meta.dirname), options],
    ]),
  );

export default {
  ...plain,
  maxWorkers: 1,
  // In a VM: natively nothing would be transformed. With the specs of `npm run test:product`.
  projects: projects.map(({ testPathIgnorePatterns = [], ...project }) => ({
    ...project,
    testPathIgnorePatterns: testPathIgnorePatterns.filter((pattern) => !productSpecs.includes(pattern)),
    transform: transform(project),
  })),
};
