import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { eventually } from '@parley/testing';
import { chatBench } from '../../../testing/chat-bench.spec-setup.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import { whole, workersOf } from './worker-bench.spec-setup.ts';

const bench = await chatBench();
beforeAll(async () => {
  // Workers use the machine's time, so the bench must, too.
  bench.clock.advance(Date.now() - bench.clock.now().getTime());
  await bench.ready();
});
const { aWorker, workers } = workersOf(bench);
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

test.each([
  { isAlone: true, which: 'that is alone reads', calls: 1 },
  { isAlone: false, which: 'beside others never reads', calls: 0 },
])('a worker $which ahead the messages for the next question', async ({ isAlone, calls }) => {
  const viewer = aViewer();
  const reading = jest.spyOn(bench.prepare, 'readAhead');
  const asked = await bench.ask(viewer, { text: 'How many?' });
  const worker = aWorker(whole, 5, { isAlone });
  void worker.lookForQuestions();
  const isOver = async () => (await bench.find(viewer, asked)).status === 'done' && worker.activeCount === 0;
  await eventually(isOver, 'the answer has ended');
  await worker.stop();
  expect(reading).toHaveBeenCalledTimes(calls);
});
