import { readStored, writeStored } from './stored.ts';

const retryDelaysMs = [500, 1500, 4000, 8000];
const reloadOnceInMs = 60_000;
const reloadedAtKey = 'parley.reloaded-at';

/**
 * Loads a part of the program. A lost connection is waited for; after an upgrade the old parts are gone from the
 * server, and the page that names the new ones is loaded instead.
 */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await load();
    } catch (error) {
      if (await isReplaced()) return reloadPage(error);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return load();
}

/** True when the server answers, but no longer with the build that runs here. */
async function isReplaced(): Promise<boolean> {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src');
  if (!entry) return false;
  try {
    const page = await fetch(location.pathname, { headers: { accept: 'text/html' } });
    return page.ok && !(await page.text()).includes(entry);
  } catch {
    return false;
  }
}

/** Once a minute at most, so it never loops. */
function reloadPage(error: unknown): Promise<never> {
  const isTooSoon = Date.now() - (readStored<number>('session', reloadedAtKey) ?? 0) < reloadOnceInMs;
  if (isTooSoon || !writeStored('session', reloadedAtKey, Date.now())) throw error;
  location.reload();
  return new Promise(() => undefined);
}
