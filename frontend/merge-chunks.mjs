// Left alone, the bundler makes a file for each set of pages that share a module: 27 for a chat, most of them smaller than
// what asking for them costs on a slow line. The first of two builds tells what each page needs, the second puts it
// together: what every page needs, what the sign-in and the chat both need, what the sign-in needs beyond that, what the
// chat and other pages of whoever is signed in need. Neither of the two loads a module more than it did.
import { pages } from '@parley/contracts/pages';

/**
 * In which file each module belongs that does not stay where the bundler puts it: module id → name of the file.
 * @param {readonly import('vite').Rolldown.OutputChunk[]} chunks of the first build
 * @returns {ReadonlyMap<string, string>}
 */
export function mergedChunks(chunks) {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const filesOf = (source, found = new Set()) => {
    const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/frontend/${source}`));
    if (!start) throw new Error(`Merging: no chunk begins with ${source}.`);
    found.add(start.fileName);
    for (const file of found) for (const next of byFile.get(file)?.imports ?? []) found.add(next);
    return found;
  };
  const pageOf = ({ feature }) => `src/features/${feature}/${feature}-page.tsx`;
  const first = filesOf('index.html');
  const visitors = new Set(
    pages.filter(({ area }) => area === 'visitor').flatMap((page) => [...filesOf(pageOf(page))]),
  );
  const signIn = filesOf(pageOf(pages.find(({ path }) => path === '')));
  const shell = filesOf('src/app/signed-in.tsx');
  const chatPage = pageOf(pages.find(({ path }) => path === 'chat'));
  const chat = new Set([...shell, ...filesOf(chatPage)]);
  const names = new Map();
  for (const { fileName, facadeModuleId, isEntry, isDynamicEntry, moduleIds } of chunks) {
    const isOwn = isEntry || (isDynamicEntry && facadeModuleId !== null);
    if (isOwn) continue;
    const isOfChat = chat.has(fileName);
    const file = first.has(fileName)
      ? 'base'
      : signIn.has(fileName)
        ? isOfChat
          ? 'kit'
          : 'fields'
        : isOfChat && !visitors.has(fileName)
          ? 'shell'
          : null;
    if (file) for (const id of moduleIds) names.set(id, file);
  }
  return names;
}
