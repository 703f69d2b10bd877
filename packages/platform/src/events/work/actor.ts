import type { PersonPrincipal, ServicePrincipal } from '@parley/contracts';
import type { EventEnvelope, UserId } from '@parley/protocol';
import type { Origin } from '../outbox/index.ts';

/** A named background job, for a person if one asked for it. */
export type Job = { readonly kind: 'job'; readonly name: string; readonly onBehalfOf: UserId | null };
/** The actor of a unit of work, which each of its events names. */
export type Actor = PersonPrincipal | ServicePrincipal | Job;

/** Names a background job: `job('reads documents')`. */
export function job(name: string, { onBehalfOf = null }: { onBehalfOf?: UserId | null } = {}): Job {
  return { kind: 'job', name, onBehalfOf };
}

type Acting = Pick<Origin, 'actor' | 'onbehalfof'>;
const person = (userId: string): string => `person:${userId}`;

/** Returns the actor in the form of an envelope. */
export function actingAs(actor: Actor): Acting {
  if (actor.kind === 'person') return { actor: person(actor.userId), onbehalfof: null };
  if (actor.kind === 'service') return { actor: `service:${actor.service}`, onbehalfof: null };
  return { actor: `job:${actor.name}`, onbehalfof: actor.onBehalfOf && person(actor.onBehalfOf) };
}

/** Returns the actor for handling an event: the service, on behalf of the event's person if there is one. */
export function actingOnEvent(service: string, event: EventEnvelope): Acting {
  const isPerson = event.actor?.startsWith('person:') === true;
  return { actor: `service:${service}`, onbehalfof: isPerson ? event.actor : event.onbehalfof };
}
