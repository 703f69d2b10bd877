import { existsSync } from 'node:fs';
import type { DataFolder } from './data-folder.ts';

/** Returns what readiness says of the disk: null while the store holds its reserve. */
export const diskNote =
  ({ store }: Pick<DataFolder, 'store'>) =>
  (): string | null =>
    existsSync(`${store}.reserve`)
      ? null
      : 'full; people can sign in, read and delete, and all other writes are refused until there is room';
