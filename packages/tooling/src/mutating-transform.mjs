// What @swc/jest makes of a file, with one planted fault: `PARLEY_MUTANT` is `{ file, find, put }` as JSON, `file`
// relative to the root. The files themselves stay as they are, so a run that is cut leaves nothing behind. The embedded
// store reads its files by itself, in a thread of its own: its mutant also names a `storeFolder`, a copy with the fault.
import swcJest from '@swc/jest';
import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';

const mutant = process.env.PARLEY_MUTANT ? JSON.parse(process.env.PARLEY_MUTANT) : null;

const ownThread = 'packages/embedded-mongo/src/index.ts';

function planted(source, filename) {
  if (mutant?.storeFolder && filename.endsWith(`/${ownThread}`))
    return source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(`${mutant.storeFolder}/index.ts`).href));
  if (!mutant || !filename.endsWith(`/${mutant.file}`)) return source;
  if (source.split(mutant.find).length !== 2) throw new Error(`The mutant does not fit ${mutant.file} exactly once.`);
  return source.replace(mutant.find, () => mutant.put);
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
