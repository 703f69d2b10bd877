import type { Document } from '@parley/contracts';
import type { ReactNode } from 'react';

/** What a page shows for whoever may upload. */
export type UploadParts = {
  readonly button: ReactNode;
  readonly list: ReactNode;
  readonly isBusy: boolean;
  onChoose(): void;
  /** Asks for a newer version of it. */
  onReplace(document: Document): void;
};
