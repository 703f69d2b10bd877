import { mailRoutes, type MailId } from '@parley/contracts';
import { eventually } from '@parley/testing';
import { rowsFor, type World } from './rows.spec-setup.ts';

let kept: Promise<MailId> | undefined;

/** A mail with a link: somebody without access to the mailbox has asked for a new password. */
async function keptMail({ owner }: World): Promise<MailId> {
  const email = owner.me?.email ?? '';
  await owner.call('POST /api/auth/password-resets', { body: { email, locale: 'en' } });
  return eventually(async () => {
    const { items } = await owner.call('GET /api/auth/mails', { query: { state: 'kept' } });
    const found = items.find(({ kind, linkEndsAt }) => kind === 'password-reset' && linkEndsAt !== null);
    if (!found) throw new Error('not yet');
    return found.id;
  }, 'the mail should be kept');
}
const mailOf = (world: World): Promise<MailId> => (kept ??= keptMail(world));

export const mailRows = rowsFor(mailRoutes, {
  listMails: {
    request: async (world) => {
      await mailOf(world);
      return {};
    },
    lists: { ids: ({ owner }) => [owner.me?.email ?? ''], whose: 'owner' },
  },
  showMailLink: {
    things: 'owner',
    request: async (world) => ({ params: { mailId: await mailOf(world) }, body: { reason: 'Called me' } }),
  },
});
