import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { eventDefinitions } from '@parley/contracts';
import type { EventDefinition, EventEnvelope } from '@parley/protocol';
import { isObservable, lastValueFrom } from 'rxjs';
import type { Transaction } from '../../../rows/mongo/index.ts';
import { scopeOfEvent } from '../../../rows/mongo/tenant-scope.ts';
import { ConsumerRuntime, type ConsumerRuntimeOptions } from '../consumer-runtime.ts';
import type { EventHandler } from '../consumer-handlers.ts';
import { EventContext } from './event-context.ts';

export type EventStrategyOptions = ConsumerRuntimeOptions & {
  /** Event types that handlers can name; by default all of the contracts. */
  readonly definitions?: readonly EventDefinition[];
};

/** Second argument of `@EventPattern`. A `batch` method gets an array of envelopes, others one. */
export type ConsumerExtras = {
  readonly consumer: string;
  readonly kind?: 'effect' | 'batch';
  /** For an effect: see `EffectHandler`. */
  readonly mostTogether?: number;
};
type Method = { extras: Partial<ConsumerExtras>; types: string[]; callback: MessageHandler };

/**
 * Runs `@EventPattern(type, { consumer })` methods on the consumer runtime. Connect it with `inheritAppConfig: true`
 * and a catch-all filter that returns `throwError(() => cause)` for `rpc`, because Nest's own filter hides the cause
 * from the dead letter. A missing or repeated consumer name and an unknown event type fail the start.
 */
export class EventStrategy extends Server implements CustomTransportStrategy {
  override readonly propagatesEventHandlerErrors = true;
  readonly runtime: ConsumerRuntime;
  private readonly methods: Method[] = [];
  private readonly definitions: Map<string, EventDefinition>;

  constructor(options: EventStrategyOptions) {
    super();
    this.runtime = new ConsumerRuntime(options);
    this.definitions = new Map(
      (options.definitions ?? eventDefinitions).map((definition) => [definition.type, definition]),
    );
  }

  /** Registers a handler. Nest calls it once per pattern; patterns of one method share the extras object. */
  override addHandler(...[pattern, callback, , extras = {}]: Parameters<Server['addHandler']>): void {
    const type = String(pattern);
    const method = this.methods.find((known) => known.extras === extras);
    if (method) method.types.push(type);
    else this.methods.push({ extras: extras as Partial<ConsumerExtras>, types: [type], callback });
  }

  listen(callback: (error?: unknown) => void): void {
    this.start().then(() => callback(), callback);
  }

  close(): Promise<void> {
    return this.runtime.close();
  }

  on(): never {
    throw new Error('The event strategy emits nothing.');
  }

  unwrap<Underlying>(): Underlying {
    return this.runtime as Underlying;
  }

  private async start(): Promise<void> {
    await this.runtime.start(this.methods.map((method) => this.toHandler(method)));
  }

  private toHandler({ extras, types, callback }: Method): EventHandler {
    const consumer = extras.consumer ?? '';
    if (!consumer)
      throw new Error(`The handler of ${types.join(', ')} names no consumer: @EventPattern(type, { consumer: '…' }).`);
    const events = types.map((type) => this.definitionOf(type, consumer));
    if (extras.kind === 'batch') {
      return {
        kind: 'batch',
        consumer,
        events,
        handleAll: (batch: readonly EventEnvelope[], tx: Transaction) =>
          settle(callback, batch, new EventContext([tx, null])),
      };
    }
    return {
      kind: 'effect',
      consumer,
      events,
      ...(extras.mostTogether !== undefined && { mostTogether: extras.mostTogether }),
      handle: (event: EventEnvelope, tx: Transaction) =>
        settle(callback, event, new EventContext([tx, scopeOfEvent(event)])),
    };
  }

  private definitionOf(type: string, consumer: string): EventDefinition {
    const definition = this.definitions.get(type);
    if (!definition) throw new Error(`The consumer ${consumer} waits for ${type}, which is no event of the contracts.`);
    return definition;
  }
}

/**
 * Waits for the Observable's end: a throwing handler resolves with an Observable that errors, so only its end shows the
 * result.
 */
async function settle(callback: MessageHandler, payload: unknown, context: EventContext): Promise<void> {
  const result: unknown = await callback(payload, context);
  if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
}
