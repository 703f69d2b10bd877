/** Who holds locks: a transaction that will end. */
export type LockOwner = { readonly ended: Promise<void> };

/** A write met a document that an open transaction has changed. */
export class Locked extends Error {
  readonly owner: LockOwner;

  constructor(owner: LockOwner) {
    super('document is locked by a transaction');
    this.owner = owner;
  }
}

/** Locks of open transactions on documents and unique keys. */
export class Locks {
  private readonly owners = new Map<string, LockOwner>();

  get isEmpty(): boolean {
    return this.owners.size === 0;
  }

  ownerOf(key: string): LockOwner | undefined {
    return this.owners.get(key);
  }

  take(key: string, owner: LockOwner): void {
    this.owners.set(key, owner);
  }

  releaseAll(keys: Iterable<string>): void {
    for (const key of keys) this.owners.delete(key);
  }
}

/** Name of the lock on a document. */
export function documentLock(collectionId: number, idKey: Buffer): string {
  return `${collectionId}:${idKey.toString('latin1')}`;
}

/** Name of the lock on a unique key. */
export function uniqueLock(indexId: number, key: Buffer): string {
  return `u${indexId}:${key.toString('latin1')}`;
}
