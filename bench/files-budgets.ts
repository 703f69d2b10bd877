import type { Budget, Told } from './budget.ts';

const ofOurOwn = { openWebUi: '–', libreChat: '–' } as const;
const seconds = { unit: 's', is: 'at-most', ...ofOurOwn } as const;
const memory = { unit: 'MB', is: 'at-most', target: 700, ...ofOurOwn } as const;

/** Memory is that of the product with its readers and decoders, above what it was at rest. */
export const filesBudgets = {
  // The floor is the same file as a document.
  'PDF of 1,000 pages, dropped until its answer cites page 700': { ...seconds, target: 30 },
  'memory that takes at most': memory,
  'longest wait for a list meanwhile': { unit: 'ms', is: 'told' },
  // The floor is one process that scales them, one after the other.
  '20 images of 12 megapixels, dropped until all can be asked about': { ...seconds, target: 20 },
  'memory that images take at most': memory,
  'question about 20 images, until its answer has begun': { unit: 's', is: 'told' },
} as const satisfies Record<string, Budget | Told>;
