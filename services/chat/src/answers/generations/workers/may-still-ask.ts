import { allows, getMembership } from '@parley/contracts';
import { Problem, type ResponseOf } from '@parley/protocol';
import type { Platform } from '@parley/platform/service';
import type { Generation } from '../rows/generation.collection.ts';

const asking = { deadlineMs: 700, failMode: 'refuse' } as const;
const refused: readonly string[] = ['org.organisation-not-found', 'org.organisation-suspended'];
type Asked = Pick<Generation, 'orgId' | 'userId' | 'queuedAt'>;

/**
 * Returns whether the person still has the permission to ask, and nobody has ended their access since they asked.
 * Returns false if the service that knows permissions can't be reached.
 */
export async function mayStillAsk(platform: Pick<Platform, 'peers'>, asked: Asked): Promise<boolean> {
  return (await rightsToAsk(platform, asked).catch(() => null)) !== null;
}

/**
 * Returns the person's current membership of the organisation; null if they can't ask any more. Throws while the
 * service that knows permissions can't be reached.
 */
export async function rightsToAsk(
  { peers }: Pick<Platform, 'peers'>,
  { orgId, userId, queuedAt }: Asked,
): Promise<ResponseOf<typeof getMembership> | null> {
  const membership = await peers.call(getMembership, { params: { orgId, userId } }, asking).catch(noMember);
  const end = membership?.accessEnd;
  const isEnded = end ? queuedAt <= new Date(end.at) : false;
  return !isEnded && allows({ userId, permissions: membership?.permissions ?? [] }, 'model:use') ? membership : null;
}

function noMember(error: unknown): null {
  if (error instanceof Problem && refused.includes(error.code)) return null;
  throw error;
}
