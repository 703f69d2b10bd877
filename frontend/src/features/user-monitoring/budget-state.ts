/** From here on the limit is near. */
const nearPercent = 80;
const spentPercent = 100;

/** Null while there is room, or no budget of their own. */
export const budgetStateOf = (percent: number | null): 'near' | 'spent' | null =>
  percent === null || percent < nearPercent ? null : percent < spentPercent ? 'near' : 'spent';
