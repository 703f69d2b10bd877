import { defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { groupId } from '../../ids.ts';
import { roleKey } from '../../roles.ts';
import { member } from '../org/members.ts';

/** Limits the people of one organisation that a BFF reports as connected. */
export const mostPresent = 5_000;
/** The most sessions of one person that a BFF reports. */
export const mostPresentSessions = 10;
/**
 * Milliseconds for which a BFF's report of connected people is valid. The BFF sends it again after each third of this
 * time.
 */
export const presenceMs = 15_000;
/** Milliseconds without doing anything after which a person is idle. */
export const idleAfterMs = 5 * 60_000;

/** Online: a tab is open, and the person did something in the last 5 minutes. Idle: a tab is open. Away: none is. */
export const presence = z.enum(['online', 'idle', 'away']);
export type Presence = z.infer<typeof presence>;

/** Browser and system, as `deviceOf` reads them from the user agent; null if it doesn't say. */
const device = { browser: z.string().max(60).nullable(), system: z.string().max(60).nullable() };

/** A member and their present activity. */
export const activeUser = member.omit({ source: true, joinedAt: true }).extend({
  presence,
  /** When they last did something, exact to a minute; null if unknown. */
  actedAt: timestamp.nullable(),
  /** Browser and system of each session with an open tab. */
  devices: z.array(z.strictObject(device)).readonly(),
  /** Number of the person's answers that run or wait. */
  answers: z.number().int(),
});
export type ActiveUser = z.infer<typeof activeUser>;

/** Lists people who are online, then idle, then away, each by name. At most one of `role` and `groupId`. */
export const listActiveUsers = defineRoute({
  service: 'monitoring',
  scope: 'organisation',
  permission: 'member:read_pii',
  cost: 'report',
  route: 'GET /api/monitoring/active-users',
  query: pageQuery
    .extend({
      text: z.string().trim().min(1).max(100).optional(),
      role: roleKey.optional(),
      groupId: groupId.optional(),
      presence: presence.optional(),
    })
    .refine(({ role, groupId }) => role === undefined || groupId === undefined, 'at most one of role and groupId'),
  response: pageOf(activeUser).extend({
    /** Counts of the whole organisation, without filters. */
    counts: z.strictObject({
      online: z.number().int(),
      idle: z.number().int(),
      answers: z.number().int(),
      /** Number of people whose answers run or wait. */
      askers: z.number().int(),
    }),
  }),
});

const bffId = z.string().regex(/^[\w-]{1,60}$/);

/**
 * Reports who is connected to one BFF. Replaces its last report about these organisations; an empty list: nobody is
 * connected. A report that isn't repeated for 15 s is forgotten. `acted` names people who did something, once a minute
 * at most.
 */
export const putPresence = defineRoute({
  service: 'monitoring',
  scope: 'internal',
  route: 'PUT /internal/monitoring/presence/:bffId',
  status: 204,
  params: z.strictObject({ bffId }),
  body: z.strictObject({
    organisations: z.array(
      z.strictObject({
        orgId,
        /** True if someone came, left or returned: pages that show presence are notified. */
        isChanged: z.boolean(),
        /** Number of connections that these people have; 0 from an older BFF, which doesn't report it. */
        sockets: z.number().int().default(0),
        people: z
          .array(
            z.strictObject({
              userId,
              sessions: z.array(z.strictObject({ key: z.string().max(60), ...device })).max(mostPresentSessions),
            }),
          )
          .max(mostPresent),
      }),
    ),
    acted: z.array(z.strictObject({ orgId, userId, at: timestamp })),
  }),
});

/**
 * Names the doorbell (a signal without content) of an organisation's presence. It rings when the response of
 * `listActiveUsers` changes.
 */
export const presenceBell = (organisation: z.infer<typeof orgId>): string => `presence/${organisation}`;

export const presenceRoutes = { listActiveUsers, putPresence };
