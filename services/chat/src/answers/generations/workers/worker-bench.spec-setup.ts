import type { Permission } from '@parley/contracts';
import type { Logger } from '@parley/platform/logging';
import { MemoryKv } from '@parley/platform/kv';
import { MemoryLiveStream } from '@parley/platform/live-stream';
import { NoMetrics } from '@parley/platform/telemetry';
import type { Platform } from '@parley/platform/service';
import { Problem, type OrgId } from '@parley/protocol';
import { silentLogger } from '@parley/testing';
import { setTimeout as wait } from 'node:timers/promises';
import { Reservations } from '../../../assistants/budgets/index.ts';
import { everywhere, type chatBench } from '../../../testing/chat-bench.spec-setup.ts';
import type { ChatSettings } from '../../../chat.config.ts';
import type { ModelClient } from '../../../assistants/models/index.ts';
import { withoutWords } from '../rows/answer-end.ts';
import type { FinishAnswer } from '../writing/finish-answer.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { GenerationWorker, type WorkerParts } from './generation-worker.ts';
import type { PrepareAnswer } from '../asking/prepare-answer.ts';
import { ProcessTime } from '../writing/process-time.ts';
import { SignsOfLife } from './signs-of-life.ts';

export const whole: ModelClient['answer'] = async (_request, onPart) => void onPart({ kind: 'text', text: 'Whole.' });
export const hanging: ModelClient['answer'] = async ({ signal }, onPart) => {
  onPart({ kind: 'text', text: 'Half' });
  await wait(600_000, undefined, { signal });
};

const later = new Date(Date.now() + 3_600_000);

type More = {
  readonly settings?: Partial<ChatSettings>;
  readonly finish?: FinishAnswer;
  readonly generations?: WorkerParts['generations'];
  readonly mongo?: WorkerParts['mongo'];
  /** Called before each preparation. */
  readonly prepared?: () => Promise<void>;
  readonly live?: MemoryLiveStream;
  readonly logger?: Logger;
  /** True if no other process uses this store. */
  readonly isAlone?: boolean;
  /** The permissions of all people; by default nobody is a member. */
  readonly rights?: readonly Permission[];
  /** The time when someone ended everyone's access. */
  readonly endedAt?: () => Date | null;
  /** Returns the model's behaviour for this answer, if it isn't the same for all. */
  readonly answerOf?: (held: Generation) => ModelClient['answer'];
  /** The flows (shares of capacity) of organisations; by default each organisation has its own. */
  readonly flows?: WorkerParts['flows'];
  /** Signs that workers of one process share; by default each worker is its own process. */
  readonly signs?: SignsOfLife;
};
export const everyOneItsOwn: WorkerParts['flows'] = {
  keyOf: (organisation, person) => ({ flow: organisation, organisation, person }),
  except: (flows) => ({ $nin: flows as OrgId[] }),
};
/** Returns a factory of workers whose models answer as given, on a bench that a spec stops. */
export function workersOf(bench: Awaited<ReturnType<typeof chatBench>>) {
  const workers: GenerationWorker[] = [];
  /** A worker whose model answers as given. */
  function aWorker(answer: ModelClient['answer'], slots = 5, more: More = {}): GenerationWorker {
    const wishes = { maxOutputTokens: null, stops: [] };
    const nothing = { path: [], passages: [], citations: [], documentCount: 0 };
    const prepared = { client: { answer }, ...nothing, isBounded: false, ...wishes };
    const worker = new GenerationWorker(
      {
        platform: {
          isAlone: more.isAlone ?? false,
          liveStream: more.live ?? new MemoryLiveStream(),
          metrics: new NoMetrics(),
          logger: more.logger ?? silentLogger(),
          failpoint: () => Promise.resolve(),
          revocations: { onRevoked: () => () => undefined },
          peers: {
            call: async () => {
              if (!more.rights) throw new Problem('org.organisation-not-found');
              const at = more.endedAt?.()?.toISOString();
              return { permissions: more.rights, accessEnd: at ? { at, reason: '' } : null };
            },
          },
        } as unknown as Platform,
        mongo: more.mongo ?? bench.mongo,
        settings: {
          workerSlots: { all: slots, ofFlow: Math.floor(slots / 2) || 1, ofPerson: Math.floor(slots / 10) || 1 },
          stallMs: 60_000,
          answerDeadlineMs: 60_000,
          ...more.settings,
        } as ChatSettings,
        generations: more.generations ?? bench.generations,
        finish: more.finish ?? bench.finishing,
        prepare: {
          prepare: async (held: Generation) => {
            await more.prepared?.();
            return more.answerOf ? { ...prepared, client: { answer: more.answerOf(held) } } : prepared;
          },
          fallbackOf: (held: Generation) => bench.prepare.fallbackOf(held),
          readAhead: (...ended: Parameters<PrepareAnswer['readAhead']>) => bench.prepare.readAhead(...ended),
        } as unknown as PrepareAnswer,
        reservations: new Reservations({} as Platform),
        flows: more.flows ?? everyOneItsOwn,
        time: new ProcessTime(),
        firstWords: bench.firstWords,
        signs: more.signs ?? new SignsOfLife({ kv: new MemoryKv(), processMark: 'process' }),
      },
      workers.length,
    );
    workers.push(worker);
    return worker;
  }
  const claimOf = (seen: Generation) => ({
    seen,
    lease: { holder: 'end', until: later },
    ended: null,
    now: new Date(),
  });
  /** Ends answers that a test leaves waiting or running: they would take the slots of the next test. */
  async function endAll(): Promise<void> {
    const everything = { leaseEndedBefore: later, ofOrganisations: { $nin: [] }, exceptBy: [], limit: 1_000 };
    for (const left of await bench.generations.listWaiting(everywhere, everything))
      await bench.finishing.finish(
        (await bench.generations.claim(everywhere, claimOf(left)))!,
        withoutWords('stopped', left),
      );
  }
  return { aWorker, workers, endAll };
}
