import {
  allEvents,
  eventDefinitions,
  topics,
  type ConversationChangedMessage,
  type ConversationId,
  type GenerationStatus,
} from '@parley/contracts';
import type { Platform } from '@parley/platform/service';
import { randomUUID } from 'node:crypto';
import type { RunningSubscription } from '@parley/platform/event-bus';
import type { DataOf, EventDefinition, EventEnvelope, OrgId, UserId } from '@parley/protocol';
import { rooms, type Sockets } from './sockets.ts';

const batchSize = 256;
const byType = new Map(eventDefinitions.map((definition) => [definition.type, definition]));

/** Watches the event log from its end and tells the sockets of this process; what is missed is healed by sequences. */
export async function relayEvents(platform: Platform, sockets: Sockets): Promise<RunningSubscription> {
  return platform.bus.subscribe({
    group: `bff-${randomUUID()}`,
    kind: 'watch',
    topics: Object.values(topics),
    batchSize,
    deliver: async (batch) => {
      for (const { event } of batch.events) {
        try {
          relay(event, sockets);
        } catch (error) {
          // A newer service may say what this process does not understand: screens are behind, and all else goes on.
          platform.logger.warn({ err: error, type: event.type, id: event.id }, 'an event could not be relayed');
        }
      }
    },
  });
}

/**
 * Who hears of an event, and what, is the `live` rule of its definition; one that nobody knows here is not relayed, nor
 * one that is told again.
 */
function relay(event: EventEnvelope, sockets: Sockets): void {
  const definition = byType.get(event.type);
  if (!definition?.live || event.snapshot) return;
  if (definition.live === 'conversation') tellMembers(definition, event, sockets);
  else tellRoom(definition.live, definition.parse(event), sockets);
}

type ResourceRule = Exclude<EventDefinition['live'], 'conversation' | null>;

/** The data of an event with such a rule has what the room is named by: its definition would not compile without. */
function tellRoom({ room, permission, resources }: ResourceRule, event: EventEnvelope, { gate, io }: Sockets): void {
  const { userId, orgId = null } = event.data as { userId: UserId; orgId?: OrgId };
  const changed = { orgId, resources };
  if (room === 'everybody') return gate.pass(() => io.emit('resource.changed', changed));
  const to =
    room === 'person'
      ? rooms.person(userId)
      : permission
        ? rooms.permitted(orgId ?? '', permission)
        : rooms.organisation(orgId ?? '');
  gate.pass(() => io.to(to).emit('resource.changed', changed));
}

type AllEvents = typeof allEvents;
/** The events whose rule is `conversation`: members get a sequenced message of its own for each. */
type ConversationEvents = {
  [
    Name in keyof AllEvents as AllEvents[Name]['live'] extends 'conversation' ? AllEvents[Name]['type'] : never
  ]: AllEvents[Name];
};
type Told = Pick<ConversationChangedMessage, 'kind' | 'generation'> &
  Partial<Pick<ConversationChangedMessage, 'sequence'>>;

/** What each of them says; one that is forgotten here does not compile. */
const toldBy: { readonly [Type in keyof ConversationEvents]: (data: DataOf<ConversationEvents[Type]>) => Told } = {
  'conversation.changed.v1': ({ change }) => ({ kind: change }),
  'conversation.marked.v1': () => ({ kind: 'marked' }),
  'conversation.read-marked.v1': ({ upTo }) => ({ kind: 'read', sequence: upTo }),
  'title.ended.v1': ({ sequence }) => ({ kind: 'renamed', sequence }),
  'message.created.v1': () => ({ kind: 'message' }),
  'message.changed.v1': () => ({ kind: 'message' }),
  'message.deleted.v1': () => ({ kind: 'message' }),
  'message.restored.v1': () => ({ kind: 'message' }),
  'generation.queued.v1': (data) => generation(data, 'queued'),
  'generation.attempt-ended.v1': (data) => generation(data, data.final ? data.outcome : 'running'),
};

const generation = (
  { generationId, answerId }: Pick<DataOf<AllEvents['generationQueued']>, 'generationId' | 'answerId'>,
  status: GenerationStatus,
): Told => ({ kind: 'generation', generation: { id: generationId, answerId, status } });

type InConversation = { orgId: OrgId; conversationId: ConversationId; memberIds: readonly UserId[] };

function tellMembers(definition: EventDefinition, event: EventEnvelope, { followers, gate, io }: Sockets): void {
  const data = definition.parse(event).data as InConversation;
  // Without rooms, the server would send to all sockets.
  if (data.memberIds.length === 0) return;
  const told = toldBy[definition.type as keyof ConversationEvents](data as never);
  const message: ConversationChangedMessage = {
    conversationId: data.conversationId,
    sequence: event.sequence,
    ...told,
  };
  if (told.generation && (told.generation.status === 'queued' || told.generation.status === 'running')) {
    const generationId = told.generation.id;
    followers.follow({ conversationId: data.conversationId, generationId }, null);
  }
  const members = data.memberIds.map((userId) => rooms.personInOrganisation(data.orgId, userId));
  gate.pass(() => io.to(members).emit('conversation.changed', message));
}
