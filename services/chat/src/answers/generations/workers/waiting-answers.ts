import { FairQueue, type FairTurns, type Flows, type FlowKey } from '@parley/platform/fair-turns';
import { jobScope } from '@parley/platform/mongo';
import type { UserId } from '@parley/protocol';
import type { Generation } from '../rows/generation.collection.ts';
import type { GenerationsRepository } from '../rows/generations.repository.ts';

const scope = jobScope('workers write the answers of all organisations');

type Parts = {
  readonly generations: Pick<GenerationsRepository, 'listWaiting' | 'nextWaiting'>;
  readonly flows: Pick<Flows, 'keyOf' | 'except'>;
  readonly turns: FairTurns;
};
type Wanted = {
  readonly queuedBefore: Date;
  readonly leaseEndedBefore: Date;
  readonly limit: number;
  readonly leftAlone: number;
};

/** Finds the answers that wait for a worker, in the order of their turns. */
export class WaitingAnswers {
  private readonly queue: FairQueue<Generation>;

  constructor(private readonly parts: Parts) {
    this.queue = new FairQueue({
      turns: parts.turns,
      waitingOf: (one) => ({ ...this.keyOf(one), arrivedAt: one.queuedAt }),
      next: (last) => parts.generations.nextWaiting(scope, last),
    });
  }

  /** Whose turn it is when it gets a slot. */
  keyOf({ orgId, userId }: Pick<Generation, 'orgId' | 'userId'>): FlowKey {
    return this.parts.flows.keyOf(orgId, userId);
  }

  /**
   * Those whose lease is over or ends soon, then those that are queued. `leftAlone`: so many of the former were found before
   * and stay with their workers; they take nobody's place.
   */
  async inOrder({ queuedBefore, leaseEndedBefore, limit, leftAlone }: Wanted): Promise<Generation[]> {
    const { generations, flows, turns } = this.parts;
    const ofOrganisations = flows.except(turns.fullFlows);
    const exceptBy = turns.fullPersons as UserId[];
    const oldest = await generations.listWaiting(scope, {
      queuedBefore,
      leaseEndedBefore,
      ofOrganisations,
      exceptBy,
      limit: limit + leftAlone,
    });
    const [left, queued] = (['running', 'queued'] as const).map((is) => oldest.filter(({ status }) => status === is));
    const waiting = await this.queue.inOrder(queued!, limit);
    return [
      ...(await this.queue.inOrder(left!, Infinity)),
      ...waiting.filter(({ queuedAt }) => queuedAt < queuedBefore),
    ];
  }
}
