import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Accepted } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { chatBench, everywhere } from '../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import type { ChatSettings } from '../../chat.config.ts';
import { stopsWanted } from './asking/generation-queue.ts';
import { RunningGenerationsService } from './running-generations.service.ts';

const bench = await chatBench();
const { generations, work, doorbell, clock } = bench;
const running = new RunningGenerationsService(generations, work, doorbell, {
  workers: 1,
  workerSlots: { all: 200, ofFlow: 100, ofPerson: 20 },
} as ChatSettings);
beforeAll(bench.ready);

const asker = aViewer();
const admin = aViewer(asker.scope.orgId);
const idOf = ({ answer }: Accepted) => answer.generation!.id;
const stop = (viewer: Viewer, generationId: string) =>
  running.stopAny({ ...viewer, params: { generationId } } as never);
const stopsTold = async () =>
  (await bench.recorded()).filter(({ type }) => type === 'generation.stop-requested.v1').map(({ data }) => data);

describe('stopping an answer as an admin', () => {
  test('ends anyone’s answer in the organisation, wakes the workers, and publishes one event', async () => {
    const asked = await bench.ask(asker);
    let rings = 0;
    const stopListening = doorbell.on(stopsWanted, () => void (rings += 1));
    for (const _ of [1, 2]) expect(await stop(admin, idOf(asked))).toEqual({ status: 'queued' });
    expect((await bench.find(asker, asked)).stopRequested).toBe(true);
    expect(await stopsTold()).toEqual([
      {
        orgId: asker.scope.orgId,
        generationId: idOf(asked),
        by: admin.principal.userId,
        userId: asker.principal.userId,
        model: 'builtin',
      },
    ]);
    await eventually(async () => expect(rings).toBeGreaterThan(0), 'the workers should be told');
    stopListening();
  });

  test('changes and publishes nothing for an ended or unknown answer, or one of another organisation', async () => {
    const asked = await bench.ask(asker);
    await bench.end(asker, asked);
    const before = (await stopsTold()).length;
    expect(await stop(admin, idOf(asked))).toEqual({ status: 'done' });
    const elsewhere = await bench.ask(aViewer());
    for (const id of [idOf(elsewhere), newId('generation')])
      await expect(stop(admin, id)).rejects.toMatchObject({ code: 'chat.generation-not-found' });
    expect(await stopsTold()).toHaveLength(before);
  });
});

describe('the list of unfinished answers', () => {
  const { orgId } = asker.scope;
  const progress = (...generationIds: string[]) =>
    running.progress({ scope: everywhere, params: { orgId }, body: { generationIds } } as never);

  test('lists waiting and running answers of this organisation only', async () => {
    const [waiting, written, over] = [await bench.ask(asker), await bench.ask(asker), await bench.ask(asker)];
    const elsewhere = await bench.ask(aViewer());
    const now = clock.now();
    const lease = { holder: 'one', until: new Date(now.getTime() + 9_000) };
    const held = await generations.claim(everywhere, {
      seen: await bench.find(asker, written),
      lease,
      ended: null,
      now,
    });
    const kept = { id: held!._id, epoch: 1, text: 'Eight letters', textEpoch: 1, citations: [], firstTokenAt: now };
    await generations.keep(everywhere, [kept]);
    await bench.end(asker, over);
    const { items } = await progress(...[waiting, written, over, elsewhere].map(idOf));
    const at = now.toISOString();
    expect(items.toSorted((one, other) => one.outputTokens - other.outputTokens)).toEqual([
      { generationId: idOf(waiting), status: 'queued', firstTokenAt: null, startedAt: null, outputTokens: 0 },
      { generationId: idOf(written), status: 'running', firstTokenAt: at, startedAt: at, outputTokens: 4 },
    ]);
  });
});
