// Without zod, so that the browser's query keys are made from this very table: `@parley/contracts/resources`.

/**
 * What lists and pages show, and whose it is: query keys begin with both. The name is the last segment of the route
 * that lists it.
 */
export const resources = {
  organisations: 'person',
  documents: 'organisation',
  models: 'organisation',
  providers: 'organisation',
  'provider-offers': 'organisation',
  conversations: 'organisation',
  messages: 'organisation',
  passages: 'organisation',
  search: 'organisation',
} as const;
export type Resource = keyof typeof resources;
