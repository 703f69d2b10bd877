// Runs a test file with jest's own circus, outside of a VM: what files import is loaded once per worker instead of once
// per file, and freed with it. So what a file changes in the process (environment, folder, mocks, timers, page) is put
// back after it. Sources of the browser and set-ups of specs keep state in their modules; they are new for each file.
// ADR 0040.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { rmSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import './register.mjs';
import { useGlobals } from './native-globals.mjs';

const globals = new URL('./native-globals.mjs', import.meta.url).href;
const empty = 'data:text/javascript,export default {}';
const browserSources = new URL('../../../frontend/src/', import.meta.url).href;
let files = 0;
/** Stores that serve all files of this worker. They end when nothing else is left to do; jest ends some workers before. */
const kept = { stores: new Map(), ends: [], folders: [] };
globalThis[Symbol.for('parley.kept')] = kept;
process.on('beforeExit', () => {
  // Jest waits half a second for a worker to end. Stores end with it, and their folders go below.
  if (process.send) process.exit();
  for (const end of kept.ends.splice(0)) void end();
});
process.once('SIGTERM', () => process.exit(143));
process.on('exit', () => {
  for (const folder of kept.folders) rmSync(folder, { recursive: true, force: true });
});
/** By specifier: what the running file put in its place. */
const mocked = new Map();
globalThis[Symbol.for('parley.mocked')] = mocked;

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
    if (specifier.endsWith('.css')) return { url: empty, shortCircuit: true };
    if (mocked.has(specifier)) return { url: standInOf(specifier), shortCircuit: true };
    const found = nextResolve(specifier, context);
    const isNewForEach = found.url.startsWith(browserSources) || /\.spec-setup\.tsx?$/.test(found.url);
    return isNewForEach ? { ...found, url: `${found.url}?file=${files}` } : found;
  },
});

/** A module that exports what the mock has. */
function standInOf(specifier) {
  const place = `globalThis[Symbol.for('parley.mocked')].get(${JSON.stringify(specifier)})`;
  const names = Object.keys(mocked.get(specifier)).map((name) => `export const ${name} = it.${name};`);
  return `data:text/javascript,${encodeURIComponent(`/* ${files} */ const it = ${place}; ${names.join(' ')}`)}`;
}

const require = createRequire(import.meta.url);
const circus = join(dirname(require.resolve('jest-circus/package.json')), 'build/jestAdapterInit.js');
const eventHandlers = Symbol.for('EVENT_HANDLERS');
const mocker = new ModuleMocker(globalThis);

/** A jest `testRunner`. A project whose `testEnvironmentOptions` say `page: true` gets a window and its set-up files. */
export default async function runNatively(...given) {
  const [globalConfig, config, environment, runtime, testPath, sendMessageToJest] = given;
  // Each file has a state of its own.
  delete require.cache[circus];
  delete globalThis[eventHandlers];
  const { initialize, runAndTransformResultsToJestFormat } = require(circus);
  const before = {
    env: { ...process.env },
    folder: process.cwd(),
    globals: Object.getOwnPropertyDescriptors(globalThis),
  };
  const page = config.testEnvironmentOptions.page ? await import('./native-page.mjs') : undefined;
  page?.openWindow();
  const timers = new ModernFakeTimers({ config, global: globalThis });
  // Jest's own mapping knows no file that it has not translated; Node's does.
  Error.prepareStackTrace = undefined;
  globalThis.console = environment.global.console;
  files += 1;
  try {
    await initialize({
      config,
      environment,
      globalConfig,
      localRequire: require,
      parentProcess: process,
      runtime,
      sendMessageToJest,
      setGlobalsForRuntime: (given) =>
        useGlobals(given, { mocker, timers, mocked, neverFaked: page?.nodesTimers ?? [] }),
      testPath,
    });
    for (const path of [...config.setupFilesAfterEnv, testPath]) await import(pathToFileURL(path).href);
    return await runAndTransformResultsToJestFormat({ config, globalConfig, testPath });
  } finally {
    timers.dispose();
    mocker.restoreAllMocks();
    mocked.clear();
    await page?.closeWindow();
    restoreGlobals(before.globals);
    process.chdir(before.folder);
    for (const name of Object.keys(process.env)) if (!(name in before.env)) delete process.env[name];
    Object.assign(process.env, before.env);
  }
}

/** A page's file must leave neither its window nor its faked network to a service's. */
function restoreGlobals(before) {
  for (const [name, was] of Object.entries(before)) {
    const is = Object.getOwnPropertyDescriptor(globalThis, name);
    if (is?.value !== was.value || is?.get !== was.get) Object.defineProperty(globalThis, name, was);
  }
}
