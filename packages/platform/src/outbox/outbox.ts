import type { DataOf, EventDefinition, OrgId } from '@parley/contracts';
import type { Transaction } from '../mongo/index.ts';

export type EventToRecord<Definition extends EventDefinition> = {
  readonly definition: Definition;
  /** The ordering key. */
  readonly subject: string;
  readonly tenantId: OrgId | null;
  /** The aggregate's own contiguous sequence; left out, the outbox counts per subject in the same transaction. */
  readonly sequence?: number;
  readonly data: DataOf<Definition>;
  /** The request or event that led here; made up when absent. */
  readonly correlationId?: string;
  readonly causationId?: string;
};

export type EventsToRecord<Definitions extends readonly EventDefinition[]> = {
  readonly [At in keyof Definitions]: EventToRecord<Definitions[At]>;
};

/**
 * Records events in the transaction of the state they tell of. Nothing is published inside; the relay does it after the
 * commit.
 */
export abstract class Outbox {
  /** Records events in this order. Refuses data that does not fit the definition. */
  abstract add<Definitions extends readonly EventDefinition[]>(
    tx: Transaction,
    ...events: EventsToRecord<Definitions>
  ): Promise<void>;
  /** To be called after the commit: wakes the relay. Losing it costs at most a second. */
  abstract wake(): void;
}
