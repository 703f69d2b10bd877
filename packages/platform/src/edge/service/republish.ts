import { writeSnapshots } from '../../events/outbox/index.ts';
import { job, originFor } from '../../events/work/index.ts';
import type { Platform } from './platform.ts';
import { withOwner, type OwnerParts } from './start-owner.ts';

/**
 * Republishes the data that the service owns through its outbox. A running service sends the events within a second, a
 * stopped one when it starts. Returns the number of events.
 */
export async function republish(platform: Platform, parts: OwnerParts): Promise<number> {
  return withOwner(platform, parts, async (owner) => {
    const tell = parts.snapshots;
    if (!tell) throw new Error(`${platform.deployable} has nothing to publish again.`);
    const origin = originFor(job('publishes what it owns again'));
    return writeSnapshots({ ...owner, origin }, (record) => tell(owner, record));
  });
}
