import type { MailId } from '@parley/contracts';
import { jobScope, type Mongo } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import { userRows } from '../users/index.ts';
import { mailRows } from './mail.collection.ts';
import type { MailRow } from './mails.service.ts';

const scope = jobScope('which addresses were verified by links that somebody was shown');
const mailsAtOnce = 500;
/** By how much the mail that tells of a shown link can be younger than the verification that the link led to. */
const toldWithinMs = 3_600_000;

/**
 * Up to 0.2.0 a link verified an address no matter who had handed it over. The mail log tells which ones a platform admin
 * was shown: of each the person got a mail, `link-shown`. Whose address was verified after that is not verified any more;
 * the usual way stays open to them. Who verified it again between two runs of one batch has to do so once more.
 */
export const unverifyRevealed: DataMigration = {
  name: 'unverify-revealed-addresses',
  title: "checking which email addresses a platform admin's links verified",
  walks: 'mails',
  batch: (mongo, cursor) =>
    eachMail(mongo, cursor, async (mails) => {
      for (const { to, createdAt } of mails.filter(({ kind }) => kind === 'link-shown')) {
        const provenAt = { $gte: new Date(createdAt.getTime() - toldWithinMs) };
        await mongo
          .rows(userRows)
          .within(scope)
          .updateMany({ email: to, provenAt }, { $set: { provenAt: null } });
      }
    }),
};

/** Mails of 0.2.0 whose links are still here can be found by their invitation: they go when it is used. */
export const nameInvitations: DataMigration = {
  name: 'name-invitations-of-mails',
  title: 'naming the invitations of emails',
  walks: 'mails',
  batch: (mongo, cursor) =>
    eachMail(mongo, cursor, (mails) =>
      mongo
        .rows(mailRows)
        .within(scope)
        .updateEach(
          mails.flatMap(({ _id, invitation, sealed }) =>
            invitation && sealed !== null
              ? [{ filter: { _id }, change: { $set: { invitationId: invitation.invitationId } } }]
              : [],
          ),
        ),
    ),
};

async function eachMail(
  mongo: Mongo,
  cursor: string | null,
  change: (mails: readonly MailRow[]) => Promise<unknown>,
): Promise<string | null> {
  const after = cursor === null ? {} : { _id: { $gt: cursor as MailId } };
  const mails = await mongo
    .rows(mailRows)
    .within(scope)
    .find(after, { sort: { _id: 1 }, limit: mailsAtOnce });
  await change(mails);
  return mails.length < mailsAtOnce ? null : mails.at(-1)!._id;
}
