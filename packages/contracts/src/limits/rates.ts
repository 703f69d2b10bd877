import type { AtOnce, RouteContract } from '@parley/protocol';

/**
 * Requests per minute. `person` counts all sessions and API keys of a person, `organisation` everybody in it, `address`
 * visitors.
 */
export type Rates = { readonly person?: number; readonly organisation?: number; readonly address?: number };
type Cost = { readonly what: string; readonly atOnce: AtOnce } & Rates;

/**
 * Groups requests and socket events by what they cost the installation. Each class limits the rate per minute, and how
 * many requests run at once across all replicas. An organisation's rate is what 500 people need at their busiest.
 */
export const costClasses = {
  read: {
    what: 'Reading one thing or a page of a list',
    person: 6_000,
    organisation: 60_000,
    address: 1_200,
    atOnce: { person: 6, address: 100, waits: true },
  },
  search: { what: 'Searching in texts', person: 300, organisation: 6_000, atOnce: { person: 2, waits: true } },
  report: {
    what: 'Adding up many entries, and exports',
    person: 1_200,
    organisation: 12_000,
    atOnce: { person: 2, waits: true },
  },
  write: { what: 'Changing one thing', person: 300, organisation: 12_000, atOnce: { person: 6, waits: true } },
  bulk: {
    what: 'Changing up to 500 things at once',
    person: 120,
    organisation: 1_200,
    atOnce: { person: 2, organisation: 20, waits: true },
  },
  question: { what: 'Asking a model', person: 600, organisation: 3_000, atOnce: { person: 6, waits: true } },
  upload: {
    what: 'Sending a file',
    person: 300,
    organisation: 3_000,
    atOnce: { person: 12, organisation: 200, waits: true },
  },
  download: { what: 'Fetching a file', person: 300, organisation: 3_000, atOnce: { person: 3, waits: true } },
  outbound: {
    what: 'Making Parley send an email or call another server',
    person: 60,
    organisation: 600,
    address: 10,
    atOnce: { person: 2, organisation: 40, address: 10, waits: true },
  },
  // Allows more at once than auth compares and queues for one network (`signInLimits`), so that a correct password
  // waits in auth instead of being refused here.
  'sign-in': { what: 'Signing in', address: 6_000, atOnce: { address: 3_000 } },
  secret: {
    what: 'Checking a password or a link',
    person: 10,
    address: 60,
    atOnce: { person: 2, address: 60, waits: true },
  },
  'error-report': { what: 'Reporting an error of a page', person: 60, address: 60, atOnce: { person: 2, address: 20 } },
  live: {
    what: 'Opening a chat on a socket, and other socket events',
    person: 1_200,
    organisation: 60_000,
    // Empty: no route has this class, and a socket handles one event at a time.
    atOnce: {},
  },
} as const satisfies Readonly<Record<string, Cost>>;
export type CostClass = keyof typeof costClasses;

type With<Owner extends keyof Rates> = {
  [Name in CostClass]: (typeof costClasses)[Name] extends { readonly [Key in Owner]: number } ? Name : never;
}[CostClass];
/** Names a class that can limit visitors, of whom only the address is known. */
export type VisitorCost = With<'address'>;
export type PersonCost = With<'person'>;

/** Returns the rates of a class in a type that all classes share. */
export const ratesOf = (cost: CostClass): Rates => costClasses[cost];

/**
 * Returns the limit on concurrent requests of a route, and the name under which they are counted; null for internal
 * routes.
 */
export function atOnceOf({ route, cost, atOnce }: RouteContract): (AtOnce & { readonly name: string }) | null {
  if (cost === undefined) return null;
  return atOnce ? { ...atOnce, name: route } : { ...costClasses[cost as CostClass].atOnce, name: cost };
}
