// What @swc/jest makes of a file, with one planted fault: `PARLEY_FAULT` is `{ file, planted }` as JSON, `file` relative
// to the root, `planted` a file with its source and the fault. No source file is changed, so an aborted run
// leaves nothing behind. The embedded store's thread loads its own files without Jest: its faults also name a
// `storeFolder`, a copy with the fault.
import swcJest from '@swc/jest';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const fault = process.env.PARLEY_FAULT ? JSON.parse(process.env.PARLEY_FAULT) : null;

const ownThread = 'packages/embedded-mongo/src/index.ts';

function planted(source, filename) {
  if (fault?.storeFolder && filename.endsWith(`/${ownThread}`))
    return source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(`${fault.storeFolder}/index.ts`).href));
  return fault && filename.endsWith(`/${fault.file}`) ? readFileSync(fault.planted, 'utf8') : source;
}

function createTransformer(options) {
  const inner = swcJest.createTransformer(options);
  const keyOf = (source, filename, about) => {
    const own = createHash('sha256').update(planted(source, filename)).digest('hex');
    return `${inner.getCacheKey(source, filename, about)}${own}`;
  };
  return {
    ...inner,
    process: (source, filename, about) => inner.process(planted(source, filename), filename, about),
    processAsync: (source, filename, about) => inner.processAsync(planted(source, filename), filename, about),
    getCacheKey: keyOf,
    getCacheKeyAsync: async (...given) => keyOf(...given),
  };
}

// Jest wants a default export of a transformer.
export default { createTransformer };
