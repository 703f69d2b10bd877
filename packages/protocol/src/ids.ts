import { z } from 'zod';

/** Maps each kind of id to its prefix: `{ organisation: 'org' }`. */
export type IdPrefixes = Readonly<Record<string, string>>;

/** Returns functions that make the schema of each kind of id, from a table of prefixes. */
export const idsWith = <const Prefixes extends IdPrefixes>(prefixes: Prefixes) => ({
  /**
   * Returns the schema of one kind of id: prefixed ULIDs such as `org_01J…`, which sort by creation time. Clients make
   * the ids of what they create.
   */
  idOf<Kind extends keyof Prefixes & string>(kind: Kind) {
    const prefix = prefixes[kind];
    return z
      .string()
      .regex(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`), `must be a ${prefix}_ id`)
      .brand<Kind>();
  },
  /**
   * Matches an id that a client can create something with: a ULID with a time from 2004 to 2109. Most ids that the
   * server derives from other ids don't match, as clients could compute those. Use the platform's `apartFromClients`
   * where a derived id must never match.
   */
  clientIdOf<Kind extends keyof Prefixes & string>(kind: Kind) {
    const prefix = prefixes[kind];
    return z
      .string()
      .regex(
        new RegExp(`^${prefix}_0[1-3][0-9A-HJKMNP-TV-Z]{24}$`),
        `must be a ${prefix}_ id, a ULID with the time of now`,
      )
      .brand<Kind>();
  },
});

/** Prefixes of the ids in envelopes, headers and scopes. A product's table of prefixes must include them. */
export const ownIdPrefixes = { user: 'usr', organisation: 'org', event: 'evt' } as const;
const { idOf } = idsWith(ownIdPrefixes);

export const userId = idOf('user');
export const orgId = idOf('organisation');
export const eventId = idOf('event');
export type UserId = z.infer<typeof userId>;
export type OrgId = z.infer<typeof orgId>;
export type EventId = z.infer<typeof eventId>;
