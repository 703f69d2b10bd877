import type { EventDefinition, EventEnvelope } from '@parley/protocol';
import type { Doorbell } from '../../ports/doorbell/doorbell.ts';
import { derivedId, newId } from '../../base/ids/index.ts';
import { SystemClock, type Clock } from '../../base/clock/index.ts';
import { JobQueue } from '../../rows/jobs/index.ts';
import { jobScope, type Mongo, type Rows, type Transaction } from '../../rows/mongo/index.ts';
import type { EventTransaction, LocalLog } from '../event-bus/local-log.ts';
import { outboxRow, outboxRows, outboxSequenceRows, type OutboxRow } from './outbox.collection.ts';

export type OutboxOptions = {
  /** The service's own database. */
  readonly mongo: Mongo;
  readonly doorbell: Doorbell;
  /** The publishing service, which becomes the events' `source`. */
  readonly source: string;
  /** The clock that decides which jobs are due; by default the system's. */
  readonly clock?: Clock;
  /** Receives the events directly if the log is local: the service then needs no relay. */
  readonly log?: LocalLog | null;
};

/** The actor and the cause of an event. */
export type Origin = Pick<EventEnvelope, 'actor' | 'onbehalfof' | 'correlationid' | 'causationid' | 'traceparent'>;

/**
 * An event with parsed data. Its sequence is counted when it is written, unless the aggregate numbers its own events.
 */
export type Recorded = {
  readonly definition: EventDefinition;
  readonly data: Readonly<Record<string, unknown>>;
  readonly sequence: number | undefined;
  readonly origin: Origin;
};

/** `actorName`: the name of the person who acts; null for a service or a job. */
export type BeforeCommit = (
  events: readonly EventEnvelope[],
  tx: Transaction,
  actorName: string | null,
) => Promise<void>;

type Session = Transaction['session'];
const scope = jobScope('records events');

/** Names the doorbell by which a service's outbox wakes its relay. */
export const outboxBell = (source: string): string => `outbox:${source}`;

/**
 * Writes events in the transaction that changes their state: into the log if that is local, otherwise into a collection
 * of the same database, from which the relay takes them. The inner part of a unit of work. The constructor registers
 * the collections, and `Mongo.applyIndexes` creates them.
 */
export class Outbox {
  readonly source: string;
  /** Gives units of work the time when they begin. */
  readonly clock: Clock;
  /** Takes the jobs that the same units of work queue. */
  readonly jobs: JobQueue;
  private readonly rows: Rows<typeof outboxRows>;
  private readonly sequences: Rows<typeof outboxSequenceRows>;
  private readonly mongo: Mongo;
  private readonly doorbell: Doorbell;
  private readonly log: LocalLog | null;
  private beforeCommit: BeforeCommit | null = null;

  constructor({ mongo, doorbell, source, clock = new SystemClock(), log = null }: OutboxOptions) {
    this.source = source;
    this.clock = clock;
    this.jobs = new JobQueue({ mongo, doorbell, clock, service: source });
    this.mongo = mongo;
    this.doorbell = doorbell;
    this.log = log;
    this.rows = mongo.rows(outboxRows);
    this.sequences = mongo.rows(outboxSequenceRows);
  }

  /** Runs a transaction that writes events, again after a write conflict; see `Mongo.transaction`. */
  transaction<Result>(run: (tx: EventTransaction) => Promise<Result>): Promise<Result> {
    if (this.log) return this.log.transaction(this.mongo, run);
    return this.mongo.transaction((session) =>
      run({
        session,
        append: (events) =>
          this.rows.within(scope, { session }).insertMany(events.map(({ topic, event }) => outboxRow(topic, event))),
      }),
    );
  }

  /** Writes events in this order, all in one command, in the transaction of their state, and returns them. */
  async write(recorded: readonly Recorded[], tx: EventTransaction): Promise<readonly EventEnvelope[]> {
    const next = await this.countOn(
      recorded.filter(({ sequence }) => sequence === undefined),
      tx.session,
    );
    // Append after counting: the counter's lock keeps the subject's next transaction from taking offsets until this one
    // ends.
    const events = recorded.map((each) => this.toEnvelope(each, each.sequence ?? next(subjectOf(each))));
    await tx.append(events.map((event, at) => ({ topic: recorded[at]!.definition.topic, event })));
    return events;
  }

  /** Writes one event without a transaction; its sequence must be given. */
  async writeAlone(recorded: Recorded & { readonly sequence: number }): Promise<void> {
    const { topic } = recorded.definition;
    const event = this.toEnvelope(recorded, recorded.sequence);
    if (this.log) return this.log.append({ topic, event });
    await this.rows.within(scope).insert(outboxRow(topic, event));
    this.wake();
  }

  /**
   * Republishes events as snapshots, under the same ids. Skips events that still wait in the outbox. Writes to the
   * outbox even if the log is local, because an operator's command has no log. Returns the number of events.
   */
  async writeAgain(events: readonly Recorded[], session: Session): Promise<number> {
    const rows: OutboxRow[] = [];
    for (const event of events) {
      if (event.definition.identity === null)
        throw new Error(`${event.definition.type} has no identity: nobody would know it again.`);
      const envelope = this.toEnvelope(event, event.sequence ?? (await this.lastOn(subjectOf(event), session)));
      rows.push(outboxRow(event.definition.topic, { ...envelope, snapshot: true }));
    }
    const own = this.rows.within(scope, { session });
    const ids = rows.map(({ _id }) => _id);
    await own.deleteMany({ _id: { $in: ids }, published: true });
    const waiting = new Set((await own.find({ _id: { $in: ids } }, { fields: ['_id'] })).map(({ _id }) => _id));
    const again = rows.filter(({ _id }) => !waiting.has(_id));
    await own.insertMany(again);
    return again.length;
  }

  /** Sets the function that runs before each commit; see `Work.accompany`. */
  accompany(act: BeforeCommit): void {
    this.beforeCommit = act;
  }

  /** Calls the function of `accompany` with these events, before the commit. */
  async accompanied(events: readonly EventEnvelope[], tx: Transaction, actorName: string | null): Promise<void> {
    await this.beforeCommit?.(events, tx, actorName);
  }

  /** Wakes the relay, if there is one; call it after the commit. A lost ring costs at most a second. */
  wake(): void {
    if (!this.log) this.doorbell.ring(outboxBell(this.source));
  }

  private toEnvelope(event: Recorded, sequence: number): EventEnvelope {
    const { definition, data, origin } = event;
    const subject = subjectOf(event);
    return {
      specversion: '1.0',
      id: idOf(event),
      source: this.source,
      type: definition.type,
      time: new Date().toISOString(),
      subject,
      tenantid: (data['orgId'] as EventEnvelope['tenantid'] | undefined) ?? null,
      sequence,
      ...origin,
      data,
    };
  }

  /** Returns the last sequence number of a subject; a snapshot takes no new one. */
  private async lastOn(subject: string, session: Session): Promise<number> {
    const counted = await this.sequences.within(scope, { session }).findById(subject);
    return counted?.sequence ?? 1;
  }

  /** Takes sequence numbers for these events, in two commands at most. The result gives a subject's numbers in turn. */
  private async countOn(events: readonly Recorded[], session: Session): Promise<(subject: string) => number> {
    const counts = new Map<string, number>();
    for (const event of events) counts.set(subjectOf(event), (counts.get(subjectOf(event)) ?? 0) + 1);
    const last = counts.size === 1 ? await this.raise([...counts][0]!, session) : await this.raiseAll(counts, session);
    const given = new Map([...counts].map(([subject, count]) => [subject, (last.get(subject) ?? 0) - count]));
    return (subject) => {
      const sequence = given.get(subject)! + 1;
      given.set(subject, sequence);
      return sequence;
    };
  }

  private async raise([subject, count]: [string, number], session: Session): Promise<Map<string, number>> {
    const sequences = this.sequences.within(scope, { session });
    const counted = await sequences.change({ _id: subject }, { $inc: { sequence: count } }, { upsert: true });
    return new Map([[subject, counted!.sequence]]);
  }

  /** Raises the sequences in the order of the subjects, so that two transactions don't deadlock. */
  private async raiseAll(counts: ReadonlyMap<string, number>, session: Session): Promise<Map<string, number>> {
    if (counts.size === 0) return new Map();
    const subjects = [...counts.keys()].toSorted();
    const sequences = this.sequences.within(scope, { session });
    const raised = (_id: string) => ({ filter: { _id }, change: { $inc: { sequence: counts.get(_id)! } } });
    await sequences.upsertEach(subjects.map(raised));
    const counted = await sequences.find({ _id: { $in: subjects } });
    return new Map(counted.map(({ _id, sequence }) => [_id, sequence]));
  }
}

const subjectOf = ({ definition, data }: Recorded): string => String(data[definition.key]);

function idOf({ definition, data }: Recorded): EventEnvelope['id'] {
  const { type, key, identity } = definition;
  if (identity === null) return newId('event');
  return derivedId('event', [type, data[key], ...identity.map((field) => data[field])]);
}
