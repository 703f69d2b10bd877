import { fileURLToPath } from 'node:url';
import { swcOptionsFor } from './swc-options.mjs';

const transformer = (filename) => {
  const { filename: _name, sourceMaps: _maps, ...options } = swcOptionsFor(filename);
  return [
    '@swc/jest',
    { ...options, sourceMaps: 'inline', jsc: { ...options.jsc, rewriteRelativeImportExtensions: false } },
  ];
};

/** Settings that every Node-side jest project shares: native ES modules, packages resolved to their sources. */
export const nodeProject = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['parley-source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.ts$': transformer('a.ts'), '\\.tsx$': transformer('a.tsx') },
  modulePathIgnorePatterns: ['/dist/', '/dist-node/'],
};

/** Settings of the browser-side project: jsdom, CSS imports are empty. */
export const webProject = {
  ...nodeProject,
  testEnvironment: 'jsdom',
  testEnvironmentOptions: { customExportConditions: ['parley-source', 'browser', 'import', 'default'] },
};

/** The same project outside of a VM (ADR 0040), a page's with one window per worker. */
export const natively = ({ testEnvironment, ...project }) => ({
  ...project,
  testRunner: fileURLToPath(new URL('./native-test-runner.mjs', import.meta.url)),
  testEnvironment: 'node',
  testEnvironmentOptions: { ...project.testEnvironmentOptions, page: testEnvironment === 'jsdom' },
});
