// The reader process: a file on standard input, its passages as JSON on standard output, how far it is on a third pipe.
// One document, then it ends.
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import type { SplitDocument, Splitting } from './split-document.ts';

const [splitter = '', options = '{}'] = process.argv.slice(2);
const [standardInput, standardOutput, progressPipe] = [0, 1, 3];
const tellEveryMs = 250;

/**
 * Node's permissions keep files, programs and threads away, but not the network: what a parser could be talked into
 * gets no module of Node's, none of the globals that call out, and no `process`, whose parts lead to all of them.
 */
function giveUpTheWorld(): void {
  registerHooks({
    resolve(specifier, context, next) {
      // Its build for Node asks for workers.
      const found = next(specifier === 'fflate' ? 'fflate/browser' : specifier, context);
      if (found.url.startsWith('node:')) throw new Error(`A reader may not load ${found.url}.`);
      return found;
    },
  });
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'BroadcastChannel', 'process'])
    Reflect.deleteProperty(globalThis, name);
}

const content = readFileSync(standardInput);
giveUpTheWorld();
// No parser is loaded before this line.
const { splitDocument } = (await import(splitter)) as { splitDocument: SplitDocument };
let toldAt = 0;
const progress = (done: number, of: number): void => {
  if (performance.now() - toldAt < tellEveryMs) return;
  toldAt = performance.now();
  writeSync(progressPipe, `${done} ${of}\n`);
};
const answer = await splitDocument(content, { ...(JSON.parse(options) as Splitting), progress });
writeFileSync(standardOutput, JSON.stringify(answer));
