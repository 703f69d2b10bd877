import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { locate, type Fault } from './plant.ts';
import { nodesOf, parseFile } from './syntax.ts';

/** The folder of the repository. */
export const root = resolve(import.meta.dirname, '../../../..');

const paths = ['{packages,services}/*/src/**/*.faults.ts', '{bff,embedded,cli}/src/**/*.faults.ts'];
const fields = ['breaks', 'file', 'within', 'find', 'put'];

/** Reads one entry of `x.faults.ts`: `file` is relative to it, and `x.ts` where the entry names none. */
function faultOf(entry: Readonly<Record<string, string>>, path: string): Fault {
  const { breaks, within = null, find, put, file = `${basename(path, '.faults.ts')}.ts` } = entry;
  if (!breaks || !find || put === undefined || Object.keys(entry).some((key) => !fields.includes(key)))
    throw new Error(`${path}: each fault has breaks, find and put, and can have file and within: ${breaks}`);
  const spec = path.replace(/\.faults\.ts$/, '.spec.ts');
  if (!existsSync(join(root, spec))) throw new Error(`${path} needs ${basename(spec)} beside it.`);
  return { breaks, within, find, put, spec, file: relative(root, resolve(root, dirname(path), file)) };
}

/** Loads what every `*.faults.ts` exports as `faults`, ordered by path. Throws where an entry lacks a field. */
export async function loadFaults(): Promise<Fault[]> {
  const loaded = await Promise.all(
    globSync(paths, { cwd: root })
      .toSorted()
      .map(async (path) => {
        const module: unknown = await import(pathToFileURL(join(root, path)).href);
        const { faults } = module as { readonly faults: readonly Readonly<Record<string, string>>[] };
        return faults.map((entry) => faultOf(entry, path));
      }),
  );
  return loaded.flat();
}

/** Reads a file of the repository; the path is relative to its root. */
export const readSource = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Returns why faults do not fit the sources that `read` returns; empty where each one does. Parses each file once. */
export function misfits(faults: readonly Fault[], read: (file: string) => string = readSource): string[] {
  const files = Map.groupBy(faults, ({ file }) => file);
  return [...files].flatMap(([file, own]) => {
    const nodes = nodesOf(parseFile(read(file), file));
    return own.flatMap((fault) => {
      try {
        locate(nodes, fault);
        return [];
      } catch (error) {
        return [`${fault.breaks}: ${(error as Error).message}`];
      }
    });
  });
}
