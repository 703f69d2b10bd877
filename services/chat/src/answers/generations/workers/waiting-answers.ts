import { WaitingWalk, type FairTurns, type Flows, type FlowKey } from '@parley/platform/fair-turns';
import { jobScope } from '@parley/platform/mongo';
import type { UserId } from '@parley/protocol';
import type { Generation } from '../rows/generation.collection.ts';
import type { GenerationsRepository } from '../rows/generations.repository.ts';

const scope = jobScope('workers write the answers of all organisations');
/** The most persons per sweep whose oldest question is read in addition to the oldest questions of all. */
const mostPersons = 100;

type Parts = {
  readonly generations: Pick<GenerationsRepository, 'listWaiting' | 'nextWaiting'>;
  readonly flows: Pick<Flows, 'keyOf' | 'except'>;
  readonly turns: FairTurns;
};
type Wanted = { readonly leaseEndedBefore: Date; readonly limit: number; readonly leftAlone: number };

/** Finds the answers that wait for a worker, in the order of their turns. */
export class WaitingAnswers {
  private readonly walk = new WaitingWalk<Generation>();

  constructor(private readonly parts: Parts) {}

  /** Returns the flow, organisation and person whose turns this person's answers take. */
  keyOf({ orgId, userId }: Pick<Generation, 'orgId' | 'userId'>): FlowKey {
    return this.parts.flows.keyOf(orgId, userId);
  }

  /**
   * Returns answers whose lease is over or ends soon, then queued ones. `leftAlone` is the number of running answers
   * that stay with their workers; they don't count towards `limit`. If `limit` queued answers were found, there may be
   * more: then adds the oldest answer of other persons, some persons each time.
   */
  async inOrder({ leaseEndedBefore, limit, leftAlone }: Wanted): Promise<Generation[]> {
    const { generations, flows, turns } = this.parts;
    const ofOrganisations = flows.except(turns.fullFlows);
    const exceptBy = turns.fullPersons as UserId[];
    const oldest = await generations.listWaiting(scope, {
      leaseEndedBefore,
      ofOrganisations,
      exceptBy,
      limit: limit + leftAlone,
    });
    const [left, queued] = (['running', 'queued'] as const).map((is) => oldest.filter(({ status }) => status === is));
    const isCut = queued!.length >= limit;
    const others = isCut ? await this.walk.read(mostPersons, (last) => generations.nextWaiting(scope, last)) : [];
    const known = new Set(queued!.map(({ _id }) => _id));
    const waiting = [...queued!, ...others.filter(({ _id }) => !known.has(_id))];
    return [...this.byTurns(left!), ...this.byTurns(waiting)];
  }

  private byTurns(answers: readonly Generation[]): Generation[] {
    return this.parts.turns.inOrder(answers, (one) => ({ ...this.keyOf(one), arrivedAt: one.queuedAt }));
  }
}
