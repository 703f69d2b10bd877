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

/** Records events in the transaction of the state they tell of. Nothing is published inside; the relay does it after the commit. */
export abstract class Outbox {
  /** Refuses data that does not fit the definition. */
  abstract add<Definition extends EventDefinition>(tx: Transaction, event: EventToRecord<Definition>): Promise<void>;
  /** To be called after the commit: wakes the relay. Losing it costs at most a second. */
  abstract wake(): void;
}
