import { defineEvent, orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { invitationId } from '../../ids.ts';
import { roleKey } from '../../roles.ts';
import { invitationKind } from './invitations.ts';

/**
 * An invitation has to be sent by email; `round` counts how often it was sent. Org's own handler asks auth to send it.
 */
export const invitationMailRequested = defineEvent('invitation.mail-requested.v1', 'org', {
  data: z.object({
    orgId,
    invitationId,
    round: z.number().int(),
    /** The act for the audit log. Missing in events of earlier versions. */
    act: z.object({ did: z.enum(['invited', 'resent', 'owner-invited']), role: roleKey }).optional(),
  }),
  key: 'orgId',
  live: { room: 'organisation', permission: 'member:read', resources: ['invitations', 'seats'] },
  audit: ({ orgId, invitationId: id, act }) => {
    if (!act) return null;
    const invitation = { of: 'invitation', id, name: null } as const;
    if (act.did === 'owner-invited')
      return {
        act: 'organisation.owner-invited',
        target: { of: 'organisation', id: orgId, name: null },
        changes: changesBetween(null, { email: { kind: 'refs', refs: [invitation] } }),
      };
    const changes = changesBetween(null, { role: auditValues.role(act.role) });
    return { act: act.did === 'invited' ? 'member.invited' : 'invitation.resent', target: invitation, changes };
  },
});

const linkActs = {
  created: 'invitation.link-made',
  replaced: 'invitation.link-replaced',
  revoked: 'invitation.revoked',
} as const;
/** An invitation was created or changed. */
export const invitationChanged = defineEvent('invitation.changed.v1', 'org', {
  data: z.object({
    orgId,
    invitationId,
    kind: invitationKind,
    change: z.enum(['mailed', 'opened', 'accepted', 'declined', 'revoked', 'expired', 'replaced', 'created']),
    userId: userId.nullable(),
    /**
     * True if accepting the invitation verifies the person's address, because its link was sent by email and shown to
     * nobody else (ADR 0036). Missing (false) otherwise, and in events of earlier versions.
     */
    provesAddress: z.boolean().optional(),
    /**
     * For the audit log: what a person grants by the invitation. Missing if no person did it, and in events of earlier
     * versions.
     */
    act: z.object({ role: roleKey, maxUses: z.number().int(), domain: z.string().nullable() }).optional(),
  }),
  key: 'orgId',
  // Accepting an invitation creates a membership. This rule says which resources that changes, because
  // `membership.added` goes to the person's own tabs only.
  live: {
    room: 'organisation',
    permission: 'member:read',
    resources: ['invitations', 'members', 'roles', 'groups', 'seats', 'seat-offer', 'active-users'],
  },
  audit: ({ invitationId: id, change, act }) => {
    if (!act || (change !== 'created' && change !== 'replaced' && change !== 'revoked')) return null;
    const { role, text, count } = auditValues;
    const given = { role: role(act.role), maxUses: count(act.maxUses), domain: text(act.domain) };
    return {
      act: linkActs[change],
      target: { of: 'invitation', id, name: null },
      changes: changesBetween(null, given),
    };
  },
  outside: ['invitationId', 'kind', 'change'],
});
