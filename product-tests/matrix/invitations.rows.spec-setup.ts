import { invitationRoutes, type Invitation } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { plain, rowsFor, type World } from './rows.spec-setup.ts';

const invited = () => ({ role: 'guest' as const, groupIds: [], message: null, locale: 'en' as const });
const onePerson = () => {
  const id = newId('invitation');
  return [{ id, email: `${id.toLowerCase()}@example.com` }];
};
async function aMail({ owner }: World): Promise<Invitation> {
  const { items } = await owner.call('POST /api/org/invitations', { body: { ...invited(), people: onePerson() } });
  return items[0]!;
}
/** Its mail is out: until then its version grows by itself, with the secret and the state of the mail. */
async function mailed(world: World): Promise<Invitation> {
  const { id } = await aMail(world);
  return eventually(async () => {
    const { items } = await world.owner.call('GET /api/org/invitations');
    const invitation = items.find((each) => each.id === id);
    if (invitation === undefined || invitation.mail === 'waiting') throw new Error(`Its mail is ${invitation?.mail}.`);
    return invitation;
  }, 'the mail should be out');
}
const newLink = () => ({
  id: newId('invitation'),
  label: 'A link',
  role: 'guest' as const,
  groupIds: [],
  domain: null,
  places: 3,
});
const aLink = ({ owner }: World) => owner.call('POST /api/org/invitation-links', { body: newLink() });

export const invitationRows = rowsFor(invitationRoutes, {
  listInvitations: { ...plain, lists: null },
  checkAddresses: { request: () => ({ body: { lines: ['a@example.com', 'nobody'] } }) },
  invitePeople: { lists: null, request: () => ({ body: { ...invited(), people: onePerson() } }) },
  createInvitationLink: { repeated: 409, request: () => ({ body: newLink() }) },
  replaceInvitationLink: {
    things: 'organisation',
    repeated: 409,
    request: async (world) => {
      const { id, version } = (await aLink(world)).invitation;
      return { params: { invitationId: id }, body: { version } };
    },
  },
  resendInvitation: {
    things: 'organisation',
    repeated: 409,
    request: async (world) => {
      const { id, version } = await mailed(world);
      return { params: { invitationId: id }, body: { version } };
    },
  },
  revokeInvitation: {
    things: 'organisation',
    request: async (world) => ({ params: { invitationId: (await aMail(world)).id } }),
  },
  viewInvitation: { request: async (world) => ({ body: { token: (await aLink(world)).token } }) },
  viewMyInvitation: { request: async (world) => ({ body: { token: (await aLink(world)).token } }) },
  acceptInvitation: { request: async (world) => ({ body: { token: (await aLink(world)).token } }) },
  // The secret of a mail is known to its reader only; a link's cannot be declined.
  declineInvitation: { refused: 404, request: async (world) => ({ body: { token: (await aLink(world)).token } }) },
  listMyInvitations: { ...plain, lists: null },
  acceptMyInvitation: {
    things: 'owner',
    refused: 404,
    request: async (world) => ({ params: { invitationId: (await aMail(world)).id } }),
  },
});
