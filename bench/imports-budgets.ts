import type { Budget, Told } from './budget.ts';

const seconds = { unit: 's', is: 'told' } as const;
/** Memory is that of the product above what it was at rest. Nothing has a budget yet: the figures are told. */
export const importsBudgets = {
  'upload of the export': seconds,
  'size of the export': { unit: 'MB', is: 'told' },
  'check of 100,000 messages in 3,000 chats': seconds,
  'import of 100,000 messages in 3,000 chats': seconds,
  'memory that takes at most': { unit: 'MB', is: 'told' },
  'first token of another person meanwhile, p95': { unit: 'ms', is: 'told' },
  'first token of another person meanwhile, longest': { unit: 'ms', is: 'told' },
  'first page of a search in a project that has none of them': { unit: 'ms', is: 'told' },
  'all pages of that search': seconds,
  'pages of that search': { unit: '', is: 'told' },
  'longest wait for a list meanwhile': { unit: 'ms', is: 'told' },
} as const satisfies Record<string, Budget | Told>;

export const searchKeysBudgets = {
  'messages that get the keys': { unit: '', is: 'told' },
  'until all have them': { unit: 'min', is: 'told' },
  CPU: { unit: 'min', is: 'told' },
  'disk before': { unit: 'MB', is: 'told' },
  'disk of the keys': { unit: 'MB', is: 'told' },
} as const satisfies Record<string, Budget | Told>;
