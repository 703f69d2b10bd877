import { defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { groupId } from '../../ids.ts';
import { roleKey } from '../../roles.ts';
import { member } from '../org/members.ts';

/** So many people of one organisation a BFF tells of. */
export const mostPresent = 5_000;
/** So many sessions of one of them. */
export const mostPresentSessions = 10;
/** What a BFF has told counts for so long; it tells again in a third of that. */
export const presenceMs = 15_000;
/** Whoever has done nothing for so long is idle. */
export const idleAfterMs = 5 * 60_000;

/** Online: a tab is open, and something was done in the last 5 minutes. Idle: a tab is open. Away: none is. */
export const presence = z.enum(['online', 'idle', 'away']);
export type Presence = z.infer<typeof presence>;

/** A browser, as `deviceOf` reads it; null where it does not say. */
const device = { browser: z.string().max(60).nullable(), system: z.string().max(60).nullable() };

/** A member with what they do now. */
export const activeUser = member.omit({ source: true, joinedAt: true }).extend({
  presence,
  /** When they last did something here, within a minute; null: never since this is known. */
  actedAt: timestamp.nullable(),
  /** One for each session with an open tab. */
  devices: z.array(z.strictObject(device)).readonly(),
  /** Answers that are being written for them, or wait for it. */
  answers: z.number().int(),
});
export type ActiveUser = z.infer<typeof activeUser>;

/** Who is online, then who is idle, then who is away, each by name. At most one of `role` and `groupId`. */
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
    /** Of the whole organisation, whatever is filtered. */
    counts: z.strictObject({
      online: z.number().int(),
      idle: z.number().int(),
      answers: z.number().int(),
      /** So many people the answers are for. */
      askers: z.number().int(),
    }),
  }),
});

const bffId = z.string().regex(/^[\w-]{1,60}$/);

/**
 * Who is here by the sockets of one BFF, in place of what it has told before of these organisations; nobody: it has none
 * of them any more. What is not told again for 15 s is forgotten. `acted`: who did something, once a minute at most.
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
        /** Somebody came or went, or is back: whoever watches hears of it. */
        isChanged: z.boolean(),
        /** Connections of them all; an older BFF does not say. */
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

/** The doorbell of an organisation's presence: what `listActiveUsers` answers is old. */
export const presenceBell = (organisation: z.infer<typeof orgId>): string => `presence/${organisation}`;

export const presenceRoutes = { listActiveUsers, putPresence };
