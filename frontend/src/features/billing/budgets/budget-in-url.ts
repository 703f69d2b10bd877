/** What the address says of the panel: `new` or the id of a budget, and whose request for more is being granted. */
export const budgetInUrl = { budget: 'text', raise: 'text' } as const;
