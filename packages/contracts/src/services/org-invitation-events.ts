import { z } from 'zod';
import { defineEvent } from '../events/define-event.ts';
import { invitationId, orgId, userId } from '../ids.ts';
import { invitationKind } from './org-invitations.ts';

/** A mail has to go out; `round` tells a resent one from the first. Org's own handler has auth mail it. */
export const invitationMailRequested = defineEvent('invitation.mail-requested.v1', 'org', {
  data: z.object({ orgId, invitationId, round: z.number().int() }),
  key: 'orgId',
  live: { room: 'organisation', permission: 'member:invite', resources: ['invitations', 'seats'] },
});
/** What has become of an invitation. */
export const invitationChanged = defineEvent('invitation.changed.v1', 'org', {
  data: z.object({
    orgId,
    invitationId,
    kind: invitationKind,
    change: z.enum(['mailed', 'opened', 'accepted', 'declined', 'revoked', 'expired', 'replaced', 'created']),
    userId: userId.nullable(),
    /**
     * Of one that is accepted: whether that verifies the person's address, since its link went out by mail and was shown
     * to nobody else (ADR 0036). Absent, as false, in all others and from earlier versions.
     */
    provesAddress: z.boolean().optional(),
  }),
  key: 'orgId',
  live: { room: 'organisation', permission: 'member:invite', resources: ['invitations', 'seats', 'members'] },
  outside: ['invitationId', 'kind', 'change'],
});
