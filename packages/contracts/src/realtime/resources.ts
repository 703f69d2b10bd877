// Without zod, so that the browser's query keys are made from this very table: `@parley/contracts/resources`.

/** What lists and pages show, and whose it is: query keys begin with both. */
export const resources = {
  organisations: 'person',
  documents: 'organisation',
  models: 'organisation',
  providers: 'organisation',
} as const;
export type Resource = keyof typeof resources;
