import type { EventEnvelope, Topic } from '@parley/protocol';
import { every } from '../base/every/index.ts';
import type { Logger } from '../base/logging/index.ts';
import { EventBus, type RunningSubscription, type Subscription } from '../events/event-bus/event-bus.ts';

const sampleMs = 30_000;
/** Sets after how long without progress a group stands still. Longer than any rebalance or return of a broker. */
const stallMs = 5 * 60_000;

type Group = {
  readonly name: string;
  inHand: number;
  movedAt: number;
  behindSince: number | null;
  running: RunningSubscription | null;
};
export type ConsumerLag = { readonly group: string; lag(): Promise<number> };

/**
 * An event bus that knows whether its work groups progress. A group stands still if it was behind at each look for five
 * minutes and nothing was delivered to this process meanwhile: then only a restart helps. A group without events to
 * handle, a failing store (the batch comes again) and a broker that doesn't answer are no standstill.
 */
export class WatchedEventBus extends EventBus {
  private readonly groups = new Set<Group>();
  private readonly bus: EventBus;
  private readonly onWorkGroup: (lag: ConsumerLag) => void;
  private readonly sampling = every('looks which consumers are behind', sampleMs, () => this.look(performance.now()));

  /** @param onWorkGroup called for each work group that begins. */
  constructor(bus: EventBus, logger: Logger, onWorkGroup: (lag: ConsumerLag) => void) {
    super();
    this.bus = bus;
    this.onWorkGroup = onWorkGroup;
    this.sampling.start(logger);
  }

  publish(topic: Topic, events: readonly EventEnvelope[]): Promise<void> {
    return this.bus.publish(topic, events);
  }

  async subscribe(subscription: Subscription): Promise<RunningSubscription> {
    if (subscription.kind === 'watch') return this.bus.subscribe(subscription);
    const group: Group = {
      name: subscription.group,
      inHand: 0,
      movedAt: performance.now(),
      behindSince: null,
      running: null,
    };
    const running = await this.bus.subscribe({
      ...subscription,
      deliver: (batch) => move(group, () => subscription.deliver(batch)),
    });
    group.running = running;
    this.groups.add(group);
    this.onWorkGroup({ group: group.name, lag: () => running.lag() });
    const close = () => {
      this.groups.delete(group);
      return running.close();
    };
    return { lag: (topic) => running.lag(topic), close };
  }

  /** Takes a sample of the groups that are behind; called automatically. */
  async look(now: number): Promise<void> {
    for (const group of this.groups) {
      const lag = await group.running?.lag().catch(() => 0);
      group.behindSince = lag ? (group.behindSince ?? now) : null;
    }
  }

  /** Returns the group that stands still, or null. */
  standstill(now: number): string | null {
    const stuck = [...this.groups].find(
      ({ inHand, movedAt, behindSince }) =>
        inHand === 0 && behindSince !== null && now - Math.max(behindSince, movedAt) > stallMs,
    );
    return stuck ? `${stuck.name} has events waiting and got none for ${Math.round(stallMs / 60_000)} minutes` : null;
  }

  async close(): Promise<void> {
    await this.sampling.stop();
    await this.bus.close();
  }
}

async function move(group: Group, deliver: () => Promise<void>): Promise<void> {
  group.inHand += 1;
  try {
    await deliver();
  } finally {
    group.inHand -= 1;
    group.movedAt = performance.now();
  }
}
