import {
  allEvents,
  topics,
  type ConversationChangedMessage,
  type ConversationId,
  type DataOf,
  type EventEnvelope,
  type GenerationStatus,
  type UserId,
} from '@parley/contracts';
import type { Platform } from '@parley/platform/service';
import { randomUUID } from 'node:crypto';
import type { RunningSubscription } from '@parley/platform/event-bus';
import { rooms, type ParleyServer, type Sockets } from './sockets.ts';

const batchSize = 256;
type Data<Name extends keyof typeof allEvents> = DataOf<(typeof allEvents)[Name]>;

/** Watches the event log from its end and tells the sockets of this process; what is missed is healed by sequences. */
export async function relayEvents(platform: Platform, sockets: Sockets): Promise<RunningSubscription> {
  return platform.bus.subscribe({
    group: `bff-${randomUUID()}`,
    kind: 'watch',
    topics: [topics.auth, topics.org, topics.chat],
    batchSize,
    deliver: async (batch) => {
      for (const { event } of batch.events) relay(event, sockets);
    },
  });
}

function relay(event: EventEnvelope, sockets: Sockets): void {
  switch (event.type) {
    case allEvents.conversationChanged.type: {
      const { change, memberIds, orgId } = event.data as Data<'conversationChanged'>;
      return tellMembers(sockets, { orgId, memberIds }, { ...subjectOf(event), kind: change });
    }
    case allEvents.messageCreated.type: {
      const { memberIds, orgId } = event.data as Data<'messageCreated'>;
      return tellMembers(sockets, { orgId, memberIds }, { ...subjectOf(event), kind: 'message' });
    }
    case allEvents.generationQueued.type:
      return relayGeneration(sockets, event, 'queued');
    case allEvents.generationAttemptEnded.type: {
      const { final, outcome } = event.data as Data<'generationAttemptEnded'>;
      return relayGeneration(sockets, event, final ? outcome : 'running');
    }
    case allEvents.documentChanged.type: {
      const { orgId, documentId, status, passageCount } = event.data as Data<'documentChanged'>;
      return tell(sockets, rooms.documents(orgId), (room) =>
        room.emit('document.changed', { documentId, status, passageCount }),
      );
    }
    case allEvents.providersChanged.type:
    case allEvents.organisationUpdated.type: {
      const { orgId } = event.data as Data<'providersChanged'>;
      const kind = event.type === allEvents.providersChanged.type ? 'providers' : 'organisation';
      return tell(sockets, rooms.organisation(orgId), (room) => room.emit('organisation.changed', { orgId, kind }));
    }
    case allEvents.membershipAdded.type: {
      const { orgId, userId } = event.data as Data<'membershipAdded'>;
      return tell(sockets, rooms.person(userId), (room) =>
        room.emit('organisation.changed', { orgId, kind: 'membership' }),
      );
    }
    default:
  }
}

function relayGeneration(sockets: Sockets, event: EventEnvelope, status: GenerationStatus): void {
  const { conversationId, generationId, answerId, memberIds, orgId } = event.data as Data<'generationQueued'>;
  if (status === 'queued' || status === 'running')
    sockets.followers.follow({ conversationId, generationId, answerId }, null);
  tellMembers(
    sockets,
    { orgId, memberIds },
    { ...subjectOf(event), kind: 'generation', generation: { id: generationId, answerId, status } },
  );
}

const subjectOf = (event: EventEnvelope): Pick<ConversationChangedMessage, 'conversationId' | 'sequence'> => ({
  conversationId: event.subject as ConversationId,
  sequence: event.sequence,
});

function tellMembers(
  sockets: Sockets,
  to: { orgId: string; memberIds: readonly UserId[] },
  message: ConversationChangedMessage,
): void {
  tell(
    sockets,
    to.memberIds.map((userId) => rooms.personInOrganisation(to.orgId, userId)),
    (room) => room.emit('conversation.changed', message),
  );
}

function tell(
  { gate, io }: Sockets,
  to: string | string[],
  emit: (room: ReturnType<ParleyServer['to']>) => void,
): void {
  gate.pass(() => emit(io.to(to)));
}
