import { mailId } from '@parley/contracts';
import { hashSecret } from '@parley/platform/crypto';
import { defineJob, queueWaiting } from '@parley/platform/jobs';
import type { RowOf, Transaction } from '@parley/platform/mongo';
import { orgId } from '@parley/protocol';
import { z } from 'zod';
import { mailRows } from './mail.collection.ts';

const input = z.strictObject({ mailId, orgId: orgId.nullable(), person: z.string() });

/** Failures of the mail server are the mail's own attempts; those of the job are errors of Parley and processes that died. */
const sending = (kind: string) =>
  defineJob(kind, {
    input,
    keyOf: ({ mailId: id }) => id,
    ownerOf: ({ orgId: organisation, person }) => ({ orgId: organisation, person }),
    slots: { all: 4 },
    // Longer than any attempt lasts.
    leaseMs: 60_000,
    attempts: 20,
    pauseMs: () => 60_000,
  });

/** Sends a mail about somebody's account: these are few and waited for, so they wait for no others. */
export const sendAccountMail = sending('send-account-mail');
/** Sends a mail for an organisation. */
export const sendMail = sending('send-mail');

type Queued = Pick<RowOf<typeof mailRows>, '_id' | 'orgId' | 'person' | 'to'>;

/** A mail about an account is its recipient's; jobs name no addresses. */
const inputOf = ({ _id, orgId: organisation = null, person, to }: Queued) => ({
  mailId: _id,
  orgId: organisation,
  person: organisation === null ? hashSecret(to) : (person ?? ''),
});

/** Queues the job of a mail with the mail. */
export const queueSending = (tx: Transaction, row: Queued): void =>
  tx.queue(row.orgId ? sendMail : sendAccountMail, inputOf(row));

/** Mails that waited when the queue was not declared yet. */
export const mailsToJobs = [
  queueWaiting({
    name: 'jobs-of-mails',
    title: 'queueing emails of organisations that wait',
    rows: mailRows,
    oldIndexes: ['state_1_dueAt_1', 'state_1_orgId_1_dueAt_1', 'state_1_orgId_1_person_1_dueAt_1'],
    job: sendMail,
    jobOf: (row) => (row.state === 'waiting' && row.orgId ? { input: inputOf(row) } : null),
  }),
  queueWaiting({
    name: 'jobs-of-account-mails',
    title: 'queueing emails about accounts that wait',
    rows: mailRows,
    job: sendAccountMail,
    jobOf: (row) => (row.state === 'waiting' && !row.orgId ? { input: inputOf(row) } : null),
  }),
];
