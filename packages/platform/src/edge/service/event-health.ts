import { Injectable, type Type } from '@nestjs/common';
import {
  eventRoutesOf,
  mostLetters,
  type EventHealth,
  type LetterTrial,
  type DeadLetter as ShownLetter,
  type readAuthEvents,
  type replayAuthLetters,
  type Service,
  type tryAuthLetters,
} from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { fileURLToPath } from 'node:url';
import { causeOf, type ConsumerRuntime, type DeadLetter } from '../../events/consumers/index.ts';
import type { OutboxRelay } from '../../events/outbox/index.ts';
import { feature } from './feature.ts';
import type { InputOf } from './route.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
/** Matches a line of a stack in one of Parley's files, by URL or path. */
const framePattern = /^\s+at .*?(?:file:\/\/)?(\/[\w./-]+:\d+):\d+\)?$/;
const word = /^[\w.-]{1,60}$/;

/** Reports on the event delivery of a service. */
export class OwnEvents {
  constructor(
    private readonly runtime: ConsumerRuntime,
    /** Null if nothing waits to be published, because events go into the log immediately. */
    private readonly relay: OutboxRelay | null,
  ) {}

  /**
   * Returns the state of event delivery. It has only dead letters and parked keys of the organisation, or of no
   * organisation.
   */
  async health(orgId: OrgId): Promise<EventHealth> {
    const { runtime, relay } = this;
    const [readers, waiting, oldestSeconds, own] = await Promise.all([
      Promise.all(runtime.topics.map(async (topic) => ({ topic, behind: await runtime.lag(topic) }))),
      relay?.backlog() ?? 0,
      relay?.oldestAgeSeconds() ?? 0,
      runtime.deadLetters.ofTenant(orgId, mostLetters),
    ]);
    return {
      readers,
      outbox: { waiting, oldestMs: Math.round(oldestSeconds * 1_000) },
      parkedKeys: own.keyCount,
      letterCount: own.count,
      letters: own.letters.map(({ id, consumer, type, eventId, reason, cause, attempts, at, ...letter }) => ({
        id,
        consumer,
        type,
        eventId,
        reason,
        attempts,
        cause: shownCause(cause),
        at: at.toISOString(),
        waiting: letter.waiting,
        isRetrying: letter.isRetrying,
        isOfAll: letter.tenant === null,
      })),
    };
  }

  /** Runs the handlers of dead letters one by one: the writes of each are rolled back before the next. */
  async tryAgain(orgId: OrgId, ids: readonly string[]): Promise<LetterTrial[]> {
    const trials: LetterTrial[] = [];
    for (const id of ids) {
      const letter = await this.find(orgId, id);
      if (!letter) trials.push({ id, outcome: 'gone', cause: null });
      else if (letter.reason === 'malformed') trials.push({ id, outcome: 'never', cause: shownCause(letter.cause) });
      else {
        const failure = await this.runtime.tryLetter(letter);
        const cause = failure && shownCause(causeOf(failure.error));
        trials.push({ id, outcome: failure ? 'fails' : 'passes', cause });
      }
    }
    return trials;
  }

  /** Replays dead letters soon, and returns how many. */
  async replay(orgId: OrgId, ids: readonly string[]): Promise<number> {
    let count = 0;
    for (const id of ids) if ((await this.find(orgId, id)) && (await this.runtime.deadLetters.replay(id))) count += 1;
    return count;
  }

  /** Returns null for a dead letter of another organisation. */
  private async find(orgId: OrgId, id: string): Promise<DeadLetter | null> {
    const letter = await this.runtime.deadLetters.find(id);
    return letter && !letter.replayedAt && (letter.tenant === null || letter.tenant === orgId) ? letter : null;
  }
}

@Injectable()
class EventHealthHandlers {
  constructor(private readonly events: OwnEvents) {}

  readEvents({ params }: InputOf<typeof readAuthEvents>): Promise<EventHealth> {
    return this.events.health(params.orgId);
  }

  async tryLetters({ params, body }: InputOf<typeof tryAuthLetters>): Promise<{ items: LetterTrial[] }> {
    return { items: await this.events.tryAgain(params.orgId, body.ids) };
  }

  async replayLetters({ params, body }: InputOf<typeof replayAuthLetters>): Promise<{ count: number }> {
    return { count: await this.events.replay(params.orgId, body.ids) };
  }
}

/** Creates the routes by which monitoring asks a service about its events. */
export const eventHealthFeature = (service: Service): Type =>
  feature({ routes: eventRoutesOf(service), handlers: EventHealthHandlers });

/**
 * Returns a cause without the message at the start of its stack, which can have several lines and quote what people
 * wrote.
 */
function shownCause({ name, code, message, stack }: DeadLetter['cause']): ShownLetter['cause'] {
  const start = stack === null ? 0 : Math.max(stack.indexOf(message), 0) + message.length;
  const own = stack === null ? [] : stack.slice(stack.indexOf('\n', start)).split('\n');
  const places = own.flatMap((line) => framePattern.exec(line)?.[1] ?? []);
  const place = places.find((path) => path.startsWith(root) && !path.includes('/node_modules/'));
  return { name: word.test(name) ? name : 'Error', code, place: place?.slice(root.length) ?? null };
}
