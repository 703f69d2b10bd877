import { allows, getMembership, type Somebody } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import type { Platform } from '@parley/platform/service';
import type { ImportRow } from './import.collection.ts';

const asking = { deadlineMs: 2_000, failMode: 'refuse' } as const;
const refused: readonly string[] = [
  'org.organisation-not-found',
  'org.organisation-suspended',
  'org.membership-suspended',
];

/** The person of an import can't create chats in the organisation any more. */
export class AccessLost extends Error {
  override readonly name = 'AccessLost';
}

/** The person of an import, with the role and groups that they have now. */
export type Importer = Somebody;

/**
 * Returns the person of an import. Rejects with `AccessLost` where the person of an import can't create chats any more, or their access was ended since
 * they asked for it; with anything else while nobody can say.
 */
export async function assertMayImport({ peers }: Pick<Platform, 'peers'>, row: ImportRow): Promise<Importer> {
  const { orgId, userId, wantedAt } = row;
  const membership = await peers.call(getMembership, { params: { orgId, userId } }, asking).catch(noMember);
  const end = membership?.accessEnd;
  const isEnded = end ? wantedAt <= new Date(end.at) : false;
  if (isEnded || !allows({ userId, permissions: membership?.permissions ?? [] }, 'chat:create')) throw new AccessLost();
  const { role, groupIds = row.groupIds } = membership ?? {};
  return { userId, organisation: { role, groupIds } };
}

function noMember(error: unknown): null {
  if (error instanceof Problem && refused.includes(error.code)) return null;
  throw error;
}
