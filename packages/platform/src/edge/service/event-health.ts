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
/** A line of a stack that names a file of ours, by its address or its path. */
const framePattern = /^\s+at .*?(?:file:\/\/)?(\/[\w./-]+:\d+):\d+\)?$/;
const word = /^[\w.-]{1,60}$/;

/** What a service has to do with events, for whoever watches over it. */
export class OwnEvents {
  constructor(
    private readonly runtime: ConsumerRuntime,
    /** Null where nothing waits to be published: events go into the log at once. */
    private readonly relay: OutboxRelay | null,
  ) {}

  /** Letters and keys are those of the organisation, and of none. */
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

  /** One after the other: what each does is thrown away before the next. */
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

  /** How many will be handled again. */
  async replay(orgId: OrgId, ids: readonly string[]): Promise<number> {
    let count = 0;
    for (const id of ids) if ((await this.find(orgId, id)) && (await this.runtime.deadLetters.replay(id))) count += 1;
    return count;
  }

  /** One of another organisation is none. */
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

/** How monitoring asks a service that reads events. */
export const eventHealthFeature = (service: Service): Type =>
  feature({ routes: eventRoutesOf(service), handlers: EventHealthHandlers });

/** Without the message, over any number of lines, that comes first in a stack and may quote what people wrote. */
function shownCause({ name, code, message, stack }: DeadLetter['cause']): ShownLetter['cause'] {
  const start = stack === null ? 0 : Math.max(stack.indexOf(message), 0) + message.length;
  const own = stack === null ? [] : stack.slice(stack.indexOf('\n', start)).split('\n');
  const places = own.flatMap((line) => framePattern.exec(line)?.[1] ?? []);
  const place = places.find((path) => path.startsWith(root) && !path.includes('/node_modules/'));
  return { name: word.test(name) ? name : 'Error', code, place: place?.slice(root.length) ?? null };
}
