import { keepDeletedDays } from '@parley/contracts/names';

/** How long what was deleted can be restored, in ms. */
export const keepDeletedMs = keepDeletedDays * 24 * 3_600_000;
