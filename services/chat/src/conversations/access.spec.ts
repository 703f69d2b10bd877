import { beforeAll, describe, expect, test } from '@jest/globals';
import { permissionsOf, type OrgRole } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import type { Member } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import type { OrgId } from '@parley/protocol';
import { aPerson, testStore } from '@parley/testing';
import {
  addressOf,
  ConversationAccess,
  ownedBy,
  ownSearchScope,
  searchScopeOf,
  visibleTo,
  type Viewer,
} from './access.ts';
import type { StoredConversation } from './conversation.collection.ts';
import { ConversationLists } from './conversation-lists.ts';
import { ConversationsRepository } from './conversations.repository.ts';

const { mongo, work, clock, ready } = await testStore();
const conversations = new ConversationsRepository(mongo);
const lists = new ConversationLists(mongo);
const access = new ConversationAccess(conversations);
const scopes = jobScope('tests');
beforeAll(ready);

const orgId = newId('organisation');
function viewer(of: OrgId = orgId, role: OrgRole = 'owner'): Viewer {
  const organisation = { orgId: of, permissions: permissionsOf(role), rightsVersion: 1 };
  return { scope: scopes.in(of), principal: aPerson({ organisation }) as Member };
}
const inside = ({ principal }: Viewer, of: OrgId): Viewer => ({
  scope: scopes.in(of),
  principal: { ...principal, organisation: { ...principal.organisation, orgId: of } },
});

async function begin(owner: Viewer, change: Partial<StoredConversation> = {}): Promise<StoredConversation> {
  const now = clock.now();
  const conversation: StoredConversation = {
    _id: newId('conversation'),
    orgId: owner.scope.orgId,
    ...ownedBy(owner),
    title: 'Leave',
    sequence: 1,
    lastPosition: 0,
    lastAnswerId: null,
    lastRun: 1,
    running: null,
    isDeleted: false,
    deletedAt: null,
    createdAt: now,
    lastActivityAt: now,
    version: 1,
    ...change,
  };
  await work.run(job('tests'), (tx) => conversations.create(owner.scope, conversation, tx));
  return conversation;
}
const refused = { code: 'chat.conversation-not-found' };

describe('access to conversations', () => {
  const owner = viewer();
  const colleague = viewer();

  test('lets the owner read a conversation', async () => {
    const conversation = await begin(owner);
    expect(await access.read(owner, conversation._id)).toEqual(conversation);
  });

  test('hides a conversation from colleagues with every permission, and from its owner in another organisation', async () => {
    const { _id } = await begin(owner);
    await expect(access.read(colleague, _id)).rejects.toMatchObject(refused);
    await expect(access.read(inside(owner, newId('organisation')), _id)).rejects.toMatchObject(refused);
    expect(await access.find(colleague, _id)).toBeNull();
  });

  test('hides a deleted conversation, except from people who can restore it', async () => {
    const { _id } = await begin(owner, { isDeleted: true });
    await expect(access.read(owner, _id)).rejects.toMatchObject(refused);
    expect((await access.find(owner, _id))?._id).toBe(_id);
    expect(await access.find(colleague, _id)).toBeNull();
  });

  test('hides a conversation from an owner who lost the permission to read', async () => {
    const { _id } = await begin(owner);
    const { principal, scope } = owner;
    const withoutRight = { ...principal, organisation: { ...principal.organisation, permissions: [] } };
    await expect(access.read({ scope, principal: withoutRight }, _id)).rejects.toMatchObject(refused);
  });

  test('lists, changes and announces a conversation only for its owner', async () => {
    const conversation = await begin(owner);
    const { _id: id, version } = conversation;
    const idsFor = async (who: Viewer) => {
      const query = { limit: 100 };
      const page = await lists.list(who.scope, { query, visible: visibleTo(who), to: (row) => row._id });
      return page.items;
    };
    const rename = (who: Viewer) =>
      work.run(who.principal, (tx) =>
        conversations.rename(who.scope, { visible: visibleTo(who), id, version, title: 'Mine' }, tx),
      );
    expect(await idsFor(owner)).toContain(id);
    expect(await idsFor(colleague)).toEqual([]);
    expect(await rename(colleague)).toBeNull();
    expect((await rename(owner))?.title).toBe('Mine');
    expect(await conversations.findMany(owner.scope, visibleTo(colleague), [id])).toEqual([]);
    expect(addressOf(conversation).memberIds).toEqual([owner.principal.userId]);
    expect(searchScopeOf(conversation)).toBe(ownSearchScope(owner));
    expect(ownSearchScope(colleague)).not.toBe(ownSearchScope(owner));
  });
});
