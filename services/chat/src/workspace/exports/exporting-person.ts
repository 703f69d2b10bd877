import { allows, getMembership } from '@parley/contracts';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { Problem } from '@parley/protocol';
import type { Viewer } from '../../conversations/index.ts';
import type { ExportRow } from './export.collection.ts';

export const jobs = jobScope('writes what people export');
const asking = { deadlineMs: 2_000, failMode: 'refuse' } as const;
const refused: readonly string[] = [
  'org.organisation-not-found',
  'org.organisation-suspended',
  'org.membership-suspended',
];

/** The person of an export can't read chats in the organisation any more. */
export class AccessLost extends Error {}

/**
 * The person as a member with the rights of now. Rejects with `AccessLost` where they can't read chats any more, or their
 * access was ended since they asked; with anything else while nobody can say.
 */
export async function exportingPerson({ peers }: Pick<Platform, 'peers'>, row: ExportRow): Promise<Viewer> {
  const { orgId, userId, locale, createdAt } = row;
  const membership = await peers.call(getMembership, { params: { orgId, userId } }, asking).catch(noMember);
  const end = membership?.accessEnd;
  const isEnded = end ? createdAt <= new Date(end.at) : false;
  if (!membership || isEnded || !allows({ userId, permissions: membership.permissions }, 'chat:read'))
    throw new AccessLost();
  const { permissions, rightsVersion, organisationName: name, role, groupIds } = membership;
  return {
    scope: jobs.in(orgId),
    principal: {
      kind: 'person',
      userId,
      name: '',
      locale,
      sessionKey: '',
      platformRole: null,
      mayCreateOrganisations: false,
      organisation: { orgId, permissions, rightsVersion, name, role, groupIds },
    },
  };
}

function noMember(error: unknown): null {
  if (error instanceof Problem && refused.includes(error.code)) return null;
  throw error;
}
