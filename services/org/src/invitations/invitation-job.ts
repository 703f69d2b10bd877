import { invitationId } from '@parley/contracts';
import { defineJob, queueWaiting } from '@parley/platform/jobs';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { invitationRows } from './invitation.collection.ts';

const longestPauseMs = 60_000;

/** Has auth mail an invitation that is open. The attempts last a day. */
export const mailInvitation = defineJob('mail-invitation', {
  input: z.strictObject({ invitationId, orgId, inviterId: userId, flow: z.string() }),
  keyOf: ({ invitationId: id }) => id,
  ownerOf: ({ orgId: organisation, inviterId: person, flow }) => ({ orgId: organisation, person, flow }),
  slots: { all: 16 },
  leaseMs: 30_000,
  attempts: 1_450,
  pauseMs: (attempt) => Math.min(attempt * 2_000, longestPauseMs),
});

/** Invitations that were to be mailed when the queue was not declared yet. */
export const invitationsToJobs = queueWaiting({
  name: 'jobs-of-invitations',
  title: 'queueing invitations to mail',
  rows: invitationRows,
  oldIndexes: ['mailDueAt_1', 'orgId_1_inviterId_1_mailDueAt_1'],
  job: mailInvitation,
  jobOf: ({ _id, orgId: organisation, inviterId, status, mailEventId }) =>
    mailEventId && status === 'pending'
      ? { input: { invitationId: _id, orgId: organisation, inviterId, flow: organisation } }
      : null,
});
