import { beforeEach, expect, test } from '@jest/globals';
import {
  conversationChanged,
  conversationReadMarked,
  documentChanged,
  filesChanged,
  generationAttemptEnded,
  generationQueued,
  membershipAdded,
  organisationUpdated,
  providersChanged,
  ratesChanged,
  titleEnded,
  userUpdated,
} from '@parley/contracts';
import type { EventBatch, Subscription } from '@parley/platform/event-bus';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import type { DataOf, EventDefinition, EventEnvelope } from '@parley/protocol';
import { silentLogger } from '@parley/testing';
import { relayEvents } from './event-relay.ts';
import { rooms, type Sockets } from './sockets.ts';

let told: { to: unknown; message: unknown; about: unknown }[];
let followed: unknown[];
let subscription: Subscription;
let isOpen: boolean;

beforeEach(async () => {
  [told, followed, isOpen] = [[], [], true];
  const bus = { subscribe: async (given: Subscription) => ((subscription = given), { close: async () => undefined }) };
  const io = {
    to: (to: unknown) => ({ emit: (message: unknown, about: unknown) => told.push({ to, message, about }) }),
    emit: (message: unknown, about: unknown) => told.push({ to: 'everybody', message, about }),
  };
  const gate = { pass: (send: () => void) => isOpen && send() };
  const followers = { follow: (answer: unknown) => followed.push(answer) };
  await relayEvents(
    { bus, logger: silentLogger() } as unknown as Platform,
    { io, gate, followers } as never as Sockets,
  );
});

const anEvent = <Definition extends EventDefinition>(
  definition: Definition,
  data: DataOf<Definition>,
  sequence = 7,
): EventEnvelope => ({ id: newId('event'), type: definition.type, sequence, data }) as unknown as EventEnvelope;
const deliver = (...events: readonly EventEnvelope[]) =>
  subscription.deliver({ events: events.map((event, at) => ({ offset: String(at), event })) } as unknown as EventBatch);

const [orgId, userId, other] = [newId('organisation'), newId('user'), newId('user')];
const inConversation = { orgId, conversationId: newId('conversation'), memberIds: [userId, other] };
const answer = { ...inConversation, generationId: newId('generation'), answerId: newId('message'), userId, model: 'm' };
const attempt = {
  ...answer,
  attempt: 1,
  inputTokens: 1,
  outputTokens: 1,
  estimated: true,
  queuedMs: 0,
  firstTokenMs: null,
  durationMs: 1,
};
const statusTold = () => (told.at(-1)?.about as { generation: { status: string } } | undefined)?.generation.status;

test('a change of prices is told to everybody, of all organisations', async () => {
  await deliver(anEvent(ratesChanged, { by: userId, added: 1, ended: 0 }));
  const about = { orgId: null, resources: ['models', 'prices', 'rates', 'budgets', 'my-budgets'] };
  expect(told).toEqual([{ to: 'everybody', message: 'resource.changed', about }]);
});

test('a change of a conversation is told to its members in that organisation, with its sequence', async () => {
  await deliver(anEvent(conversationChanged, { ...inConversation, change: 'renamed' }));
  expect(told).toEqual([
    {
      to: [rooms.personInOrganisation(orgId, userId), rooms.personInOrganisation(orgId, other)],
      message: 'conversation.changed',
      about: { conversationId: inConversation.conversationId, sequence: 7, kind: 'renamed' },
    },
  ]);
});

test('sends a title that was stored after its answer with the chat’s sequence, and nothing for one stored with its answer', async () => {
  const { conversationId } = inConversation;
  const title = {
    orgId,
    conversationId,
    generationId: newId('generation'),
    userId,
    groupIds: [],
    chatbotId: null,
    model: `${newId('provider')}/m` as DataOf<typeof titleEnded>['model'],
    upstream: { host: 'h', model: 'm' },
    inputTokens: 1,
    outputTokens: 1,
    cachedTokens: 0,
    estimated: false,
    outcome: 'done' as const,
    endedAt: new Date().toISOString(),
  };
  await deliver(
    anEvent(titleEnded, title as never, 1),
    anEvent(titleEnded, { ...title, memberIds: [userId], sequence: 7 }, 1),
  );
  const to = [rooms.personInOrganisation(orgId, userId)];
  expect(told).toEqual([
    { to, message: 'conversation.changed', about: { conversationId, sequence: 7, kind: 'renamed' } },
  ]);
});

test('that a person has read a conversation is told to that person alone, with the sequence of the conversation', async () => {
  const { conversationId } = inConversation;
  await deliver(anEvent(conversationReadMarked, { orgId, conversationId, memberIds: [userId], userId, upTo: 40 }));
  expect(told).toEqual([
    {
      to: [rooms.personInOrganisation(orgId, userId)],
      message: 'conversation.changed',
      about: { conversationId, sequence: 40, kind: 'read' },
    },
  ]);
});

test('what needs a right is told to those who have it, what everybody may know to all of the organisation', async () => {
  const documentId = newId('document');
  await deliver(
    anEvent(documentChanged, { orgId, documentId, status: 'stored', passageCount: 0 }),
    anEvent(providersChanged, { orgId }),
  );
  expect(told.map(({ to }) => to)).toEqual([rooms.permitted(orgId, 'data_connection:read'), rooms.organisation(orgId)]);
  expect(told.map(({ about }) => about)).toEqual([
    { orgId, resources: ['documents', 'deleted-documents', 'connections', 'models'] },
    { orgId, resources: ['models', 'providers'] },
  ]);
});

test('a membership is told to all tabs of the person, wherever they are', async () => {
  await deliver(anEvent(membershipAdded, { orgId, userId, role: 'member', rightsVersion: 1 }));
  expect(told).toMatchObject([{ to: rooms.person(userId), message: 'resource.changed' }]);
});

test('a file is told to all tabs of its person, and to nobody else', async () => {
  await deliver(anEvent(filesChanged, { orgId, userId, fileId: newId('file'), status: 'ready' }));
  expect(told).toEqual([
    { to: rooms.person(userId), message: 'resource.changed', about: { orgId, resources: ['files'] } },
  ]);
});

test('an answer that runs is followed, also after an attempt that was not the last; one that has ended is not', async () => {
  await deliver(anEvent(generationQueued, answer));
  expect(statusTold()).toBe('queued');
  await deliver(anEvent(generationAttemptEnded, { ...attempt, outcome: 'interrupted', final: false }));
  expect([statusTold(), followed.length]).toEqual(['running', 2]);
  await deliver(anEvent(generationAttemptEnded, { ...attempt, outcome: 'done', final: true }));
  expect([statusTold(), followed.length]).toEqual(['done', 2]);
});

test('what nobody has on the screen, or knows here, is told to nobody, and the rest goes on', async () => {
  const odd = { ...anEvent(providersChanged, { orgId }), type: 'later.happened.v1' };
  const broken = { ...anEvent(documentChanged, {} as never) };
  const unseen = anEvent(userUpdated, { userId, version: 2 });
  await deliver(odd, broken, unseen, anEvent(providersChanged, { orgId }));
  expect(told).toHaveLength(1);
});

test('nothing is told while the gate holds it back', async () => {
  isOpen = false;
  await deliver(
    anEvent(conversationChanged, { ...inConversation, change: 'renamed' }),
    anEvent(providersChanged, { orgId }),
    anEvent(organisationUpdated, { orgId, version: 2 }),
  );
  expect(told).toEqual([]);
});

test('events are watched from now on, by each process for itself', () => {
  expect(subscription).toMatchObject({ kind: 'watch', group: expect.stringMatching(/^bff-./) });
});
