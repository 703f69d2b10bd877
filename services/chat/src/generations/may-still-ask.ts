import { allows, getMembership } from '@parley/contracts';
import type { Platform } from '@parley/platform/service';
import type { Generation } from './generation.collection.ts';

/** Whoever cannot be asked gives no right. */
const asking = { deadlineMs: 700, failMode: 'refuse' } as const;

/**
 * After rights have changed, which need not end anything: whether the asker may still ask, and nobody has ended what
 * they do here since they asked.
 */
export async function mayStillAsk(
  { peers }: Pick<Platform, 'peers'>,
  { orgId, userId, queuedAt }: Pick<Generation, 'orgId' | 'userId' | 'queuedAt'>,
): Promise<boolean> {
  const membership = await peers.call(getMembership, { params: { orgId, userId } }, asking).catch(() => null);
  const end = membership?.accessEnd;
  const isEnded = end ? queuedAt <= new Date(end.at) : false;
  return !isEnded && allows({ userId, permissions: membership?.permissions ?? [] }, 'model:use');
}
