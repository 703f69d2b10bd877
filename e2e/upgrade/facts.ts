import type { ApiRoute, ConversationId, Message } from '@parley/contracts';
import type { ParleyClient } from '@parley/testing/client';
import assert from 'node:assert/strict';
import { names, type Name, type People } from './people.ts';

/** What came after the facts of a fixture were read, and what a check itself has added. */
export type Later = { readonly conversationIds: readonly string[]; readonly documentIds: readonly string[] };
/** All that is compared, as plain JSON: by organisation, by person, and who is refused what. */
export type Facts = {
  readonly organisations: Readonly<Record<string, Record<string, unknown>>>;
  readonly chats: Readonly<Record<string, unknown>>;
  readonly access: Readonly<Record<string, number>>;
};

/**
 * Reads through the product's routes what an upgrade must keep. The fields are picked one by one: a release that adds a
 * field changes nothing here.
 */
export async function readFacts(people: People, later: Later): Promise<Facts> {
  const chats: Record<string, unknown> = {};
  // Guests read their chats, and Gus is suspended.
  for (const name of names) if (name !== 'Gus') chats[name] = await readChats(people[name], later);
  return JSON.parse(
    JSON.stringify({
      organisations: {
        Harbour: { ...(await readOrganisation(people.Ada, later)), deletedChats: await readDeleted(people.Ben) },
        Lighthouse: await readOrganisation(people.Eva, later),
      },
      chats,
      access: await readAccess(people),
    }),
  ) as Facts;
}

async function readOrganisation(owner: ParleyClient, later: Later): Promise<Record<string, unknown>> {
  const [members, groups, roles] = [
    await owner.call('GET /api/org/members', { query: { limit: 100 } }),
    await owner.call('GET /api/org/groups'),
    await owner.call('GET /api/org/roles'),
  ];
  const invitations = await owner.call('GET /api/org/invitations', { query: { limit: 100 } });
  return {
    members: members.items.map(({ name, email, role, status, reason, groupIds }) => [
      name,
      email,
      role,
      status,
      reason,
      groupIds,
    ]),
    seats: await owner.call('GET /api/org/seats'),
    groups: groups.items.map(({ id, name, memberCount }) => [id, name, memberCount]),
    roles: roles.items
      .filter(({ name }) => name !== null)
      .map(({ id, name, permissions, memberCount }) => [id, name, permissions, memberCount]),
    invitations: invitations.items.map(({ kind, email, label, role, status, taken }) => [
      kind,
      email,
      label,
      role,
      status,
      taken,
    ]),
    ...(await readKnowledge(owner, later)),
    ...(await readBilling(owner, later)),
    ...(await readPrograms(owner)),
  };
}

async function readKnowledge(owner: ParleyClient, later: Later): Promise<Record<string, unknown>> {
  const [documents, connections, providers] = [
    await owner.call('GET /api/chat/documents', { query: { limit: 100 } }),
    await owner.call('GET /api/chat/connections'),
    await owner.call('GET /api/chat/providers'),
  ];
  const [chatbots, curated, feedback] = [
    await owner.call('GET /api/chat/chatbots'),
    await owner.call('GET /api/chat/curated-answers'),
    await owner.call('GET /api/chat/feedback', { query: { state: 'all' } }),
  ];
  return {
    documents: documents.items
      .filter(({ id }) => !later.documentIds.includes(id))
      .map(({ name, bytes, status, failure, passageCount }) => [name, bytes, status, failure, passageCount]),
    connections: connections.items.map(({ name, source, schedule }) => [name, source.kind, schedule]),
    providers: providers.items.map(({ name, baseUrl, keyHint, models }) => [name, baseUrl, keyHint, models]),
    chatbots: chatbots.items.map(({ name, version, isDefault }) => [name, version, isDefault]),
    curated: curated.items.map(({ questions, text, author }) => [questions, text, author.name]),
    feedback: feedback.items.map(({ rating, reasons, comment, question, state }) => [
      rating,
      reasons,
      comment,
      question,
      state,
    ]),
  };
}

async function readBilling(owner: ParleyClient, later: Later): Promise<Record<string, unknown>> {
  const { items: budgets, currency } = await owner.call('GET /api/billing/budgets');
  const entries = (await owner.ledgerEntries()).filter(
    ({ conversationId: id }) => !later.conversationIds.includes(id ?? ''),
  );
  const sum = (value: (entry: (typeof entries)[number]) => number | null) =>
    entries.reduce((all, each) => all + (value(each) ?? 0), 0);
  return {
    currency,
    budgets: budgets.map(({ id, scope, period, unit, softLimit, hardLimit }) => [
      id,
      scope.kind,
      period,
      unit,
      softLimit,
      hardLimit,
    ]),
    figures: budgets.map(({ id, spent, held }) => ({ id, spent, held })),
    ledger: {
      entries: entries.length,
      input: sum(({ inputTokens }) => inputTokens),
      output: sum(({ outputTokens }) => outputTokens),
      costMicros: sum(({ costMicros }) => costMicros),
      outcomes: entries.map(({ outcome }) => outcome).toSorted(),
    },
  };
}

async function readPrograms(owner: ParleyClient): Promise<Record<string, unknown>> {
  const webhooks = await owner.call('GET /api/monitoring/webhooks');
  const keys = await owner.call('GET /api/auth/api-keys');
  return {
    webhooks: webhooks.items.map(({ url, types, state }) => [url, types, state]),
    apiKeys: keys.items.map(({ name, prefix, permissions, ended }) => [name, prefix, permissions, ended]),
  };
}

async function readChats(person: ParleyClient, later: Later): Promise<unknown> {
  const chats: unknown[] = [];
  for (const { id, title } of await person.conversations())
    if (!later.conversationIds.includes(id)) chats.push({ id, title, messages: await readMessages(person, id) });
  return chats;
}

async function readDeleted(person: ParleyClient): Promise<unknown[]> {
  const { items } = await person.call('GET /api/chat/deleted-conversations');
  return items.map(({ id, title }) => [id, title]);
}

async function readMessages(person: ParleyClient, id: ConversationId): Promise<unknown[]> {
  const { items } = await person.messages(id);
  await assertPath(person, id, items);
  return items.map(({ id: message, position, role, text, parentId, generation, citations, isDiscarded }) => ({
    message,
    position,
    role,
    text,
    parentId,
    isDiscarded,
    status: generation?.status,
    failure: generation?.failure,
    cited: citations.map(({ documentName, number }) => `${number} ${documentName}`),
  }));
}

/** Fails unless its person reads a path of these messages, the newest of the chat, each under the one before it. */
async function assertPath(person: ParleyClient, conversationId: ConversationId, all: readonly Message[]) {
  const path = await person.call('GET /api/chat/conversations/:conversationId/path', {
    params: { conversationId },
    query: { limit: 100 },
  });
  const ids = path.items.map(({ id }) => id);
  assert.deepEqual(
    path.items.slice(1).map(({ parentId }) => parentId),
    ids.slice(0, -1),
  );
  const newest = path.items.filter(({ position }) => position >= (all[0]?.position ?? 0));
  assert.ok(newest.every(({ id }) => all.some((message) => message.id === id)));
  assert.equal(
    ids.length > 0,
    all.some(({ role, isDiscarded }) => role === 'person' && !isDiscarded),
  );
}

/** The status with which each of them is answered: others' chats, another organisation, what a role does not allow. */
async function readAccess(people: People): Promise<Record<string, number>> {
  const { Ada, Eva } = people;
  const [chat] = await people.Cleo.conversations();
  const [document] = (await Ada.call('GET /api/chat/documents')).items;
  const routes: readonly ApiRoute[] = [
    'GET /api/org/members',
    'GET /api/org/audit',
    'GET /api/billing/budgets',
    'GET /api/billing/ledger-entries',
    'GET /api/chat/providers',
    'GET /api/chat/documents',
    'GET /api/monitoring/webhooks',
    'GET /api/monitoring/collected-errors',
  ];
  const access: Record<string, number> = {};
  const note = async (name: Name, method: string, path: string, of: string) => {
    access[`${name}: ${method} ${of}`] = (await people[name].request(method, path)).status;
  };
  for (const name of names) {
    for (const route of routes) await note(name, 'GET', route.slice('GET '.length), route.slice('GET '.length));
    await note(name, 'GET', `/api/chat/conversations/${chat!.id}/messages`, "Cleo's chat");
    // Retrying what is no failure changes nothing for whoever may.
    await note(name, 'POST', `/api/chat/documents/${document!.id}/retry`, 'a document of Harbour');
  }
  const ofOther = await Eva.call('GET /api/org/members', { orgId: Ada.orgId! }).then(
    () => 200,
    (error: { status: number }) => error.status,
  );
  return { ...access, 'Eva: members of Harbour': ofOther };
}
