import type { PersonPrincipal, ServicePrincipal } from '@parley/contracts';
import type { EventEnvelope, UserId } from '@parley/protocol';
import type { Origin } from '../outbox/index.ts';

/** Background work under its name, for a person where one asked for it. */
export type Job = { readonly kind: 'job'; readonly name: string; readonly onBehalfOf: UserId | null };
/** Who acts: each unit of work names one, and each event tells it. */
export type Actor = PersonPrincipal | ServicePrincipal | Job;

/** A named background job: `job('reads documents')`. */
export function job(name: string, { onBehalfOf = null }: { onBehalfOf?: UserId | null } = {}): Job {
  return { kind: 'job', name, onBehalfOf };
}

type Acting = Pick<Origin, 'actor' | 'onbehalfof'>;
const person = (userId: string): string => `person:${userId}`;

/** The actor as an envelope names it. */
export function actingAs(actor: Actor): Acting {
  if (actor.kind === 'person') return { actor: person(actor.userId), onbehalfof: null };
  if (actor.kind === 'service') return { actor: `service:${actor.service}`, onbehalfof: null };
  return { actor: `job:${actor.name}`, onbehalfof: actor.onBehalfOf && person(actor.onBehalfOf) };
}

/** A service that handles an event acts on behalf of the event's person, if there is one. */
export function actingOnEvent(service: string, event: EventEnvelope): Acting {
  const isPerson = event.actor?.startsWith('person:') === true;
  return { actor: `service:${service}`, onbehalfof: isPerson ? event.actor : event.onbehalfof };
}
