/** Storage that may be blocked or full: reading gives null, writing says whether it worked. */
export function readStored<Value>(storage: 'local' | 'session', key: string): Value | null {
  try {
    const text = storageOf(storage).getItem(key);
    return text === null ? null : (JSON.parse(text) as Value);
  } catch {
    return null;
  }
}

export function writeStored(storage: 'local' | 'session', key: string, value: unknown): boolean {
  try {
    if (value === null || value === undefined) storageOf(storage).removeItem(key);
    else storageOf(storage).setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

const storageOf = (storage: 'local' | 'session') => (storage === 'local' ? localStorage : sessionStorage);
