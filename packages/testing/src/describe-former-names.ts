import { expect, test } from '@jest/globals';
import { flowChanged } from '@parley/contracts';
import { effectOf, EventRejected } from '@parley/platform/event-bus';
import type { EventEnvelope } from '@parley/protocol';
import { anOrganisationUpdate, anOrgId } from './builders.ts';
import type { ConsumerBench } from './consumer-bench.ts';
import { eventually } from './eventually.ts';

/** Tests that events of earlier versions are handled under their former names. */
export function describeFormerNames(bench: () => ConsumerBench): void {
  test('an event of an earlier version is handled by the names of this one, also as a dead letter', async () => {
    const orgId = anOrgId();
    const seen: unknown[] = [];
    let isRefused = true;
    const handler = effectOf('keep', flowChanged, async ({ type, data }) => {
      if (isRefused && data.rightsVersion === 1) throw new EventRejected('not yet');
      seen.push([type, data]);
    });
    const former = (rightsVersion: number): EventEnvelope => ({
      ...anOrganisationUpdate(orgId, rightsVersion),
      type: 'org.share-changed.v1',
      data: { orgId, share: orgId, rightsVersion },
    });
    const now = (rightsVersion: number) => ['org.flow-changed.v1', { orgId, flow: orgId, rightsVersion }];
    const runtime = await bench().run([handler]);
    await bench().publish(former(1), former(2));
    const [letter] = await bench().eventuallyBuried(runtime, 1);
    await eventually(async () => expect(seen).toEqual([now(2)]), 'the second one is handled');
    isRefused = false;
    expect(await runtime.deadLetters.replay(letter!.id)).toBe(true);
    await eventually(async () => expect(seen).toEqual([now(2), now(1)]), 'the first one is handled');
  });
}
