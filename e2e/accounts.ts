import type { OrgRole } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { ParleyClient } from '@parley/testing/client';
import type { Account } from './edition.ts';

/** Who keeps an organisation in the journeys, and who joins it. */
export const ines: Account = { name: 'Ines Vardale', email: 'ines@example.com', password: 'three quiet herons' };
export const noor: Account = { name: 'Noor Halvani', email: 'noor@example.com', password: 'three quiet herons' };

/** Makes somebody who is registered a member of the owner's organisation, by a link. */
export async function joinByLink(owner: ParleyClient, member: ParleyClient, role: OrgRole = 'member'): Promise<void> {
  const place = { groupIds: [], domain: null, places: 1, days: 1 };
  const { token } = await owner.call('POST /api/org/invitation-links', {
    body: { id: newId('invitation'), label: 'All', role, ...place },
  });
  await member.call('POST /api/org/my-invitations/accept', { body: { token } });
  member.orgId = owner.orgId;
}
