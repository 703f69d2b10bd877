import plain from './jest.config.mjs';

/** The tests of `npm test` with one planted fault: see packages/testing/mutants. */
const transform = (project) =>
  Object.fromEntries(
    Object.entries(project.transform).map(([pattern, [, options]]) => [
      pattern,
      ['<rootDir>/packages/tooling/src/mutating-transform.mjs'.replace('<rootDir>', import.meta.dirname), options],
    ]),
  );

export default {
  ...plain,
  maxWorkers: 1,
  projects: plain.projects.map((project) => ({ ...project, transform: transform(project) })),
};
