import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ChatbotContent, ChatbotDraft, ChatbotId } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { testStore } from '@parley/testing';
import type { Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { defaultChatbot, defaultIdOf } from './default-chatbot.ts';
import { ChatbotsRepository } from './chatbots.repository.ts';
import { ChatbotsService } from './chatbots.service.ts';

const store = await testStore();
const rows = new ChatbotsRepository(store.mongo);
const chatbots = new ChatbotsService(rows, store.work, store.clock);
beforeAll(store.ready);

const content = (more: Partial<ChatbotContent> = {}): ChatbotContent => ({
  ...defaultChatbot(newId('organisation')).draft,
  name: 'Grid Engineer',
  ...more,
});
const of = (viewer: Viewer, chatbotId: ChatbotId, more: object = {}) =>
  ({ ...viewer, params: { chatbotId }, ...more }) as never;
const create = (viewer: Viewer, more: Partial<ChatbotContent> = {}) =>
  chatbots.create({ ...viewer, body: { id: newId('chatbot'), content: content(more) } } as never);
const change = (viewer: Viewer, { id, revision }: ChatbotDraft, more: Partial<ChatbotContent>) =>
  chatbots.change(of(viewer, id, { body: { revision, content: content(more) } }));
const publish = (viewer: Viewer, { id, revision }: ChatbotDraft, note = '') =>
  chatbots.publish(of(viewer, id, { body: { revision, note } }));
const offered = async (viewer: Viewer) => (await chatbots.list(viewer as never)).items;

describe('the default chatbot', () => {
  test('is there from the beginning, for everybody and for nobody else', async () => {
    const [viewer, other] = [aViewer(), aViewer()];
    expect(await offered(viewer)).toMatchObject([{ id: defaultIdOf(viewer.scope.orgId), version: 0, isDefault: true }]);
    expect(await chatbots.choose(viewer, undefined)).toMatchObject({ version: 0, content: { instructions: '' } });
    await expect(chatbots.choose(viewer, defaultIdOf(other.scope.orgId))).rejects.toThrow(Problem);
  });

  test('is changed and published like any other, and begins with version 1', async () => {
    const viewer = aViewer();
    const begun = await chatbots.getDraft(of(viewer, defaultIdOf(viewer.scope.orgId)));
    const changed = await change(viewer, begun, { instructions: 'Be kind.' });
    expect(changed).toMatchObject({ isChanged: true, published: { version: 0, by: null } });
    expect(await chatbots.choose(viewer, undefined)).toMatchObject({ version: 0 });
    const published = await publish(viewer, changed, 'Kinder');
    expect(published.published).toMatchObject({ version: 1, note: 'Kinder', by: { userId: viewer.principal.userId } });
    expect(await chatbots.choose(viewer, undefined)).toMatchObject({
      version: 1,
      content: { instructions: 'Be kind.' },
    });
  });

  test('stays, and stays for everybody', async () => {
    const viewer = aViewer();
    const id = defaultIdOf(viewer.scope.orgId);
    await expect(chatbots.delete(of(viewer, id))).rejects.toMatchObject({ code: 'platform.conflict' });
    const audience = { kind: 'some' as const, roles: ['owner' as const], groupIds: [], userIds: [] };
    const begun = await chatbots.getDraft(of(viewer, id));
    await expect(change(viewer, begun, { audience })).rejects.toMatchObject({ code: 'platform.invalid-request' });
  });
});

describe('draft and versions', () => {
  test('a draft is nobody’s to use before it is published', async () => {
    const viewer = aViewer();
    const made = await create(viewer);
    expect(made).toMatchObject({ isChanged: true, published: null });
    await expect(chatbots.choose(viewer, made.id)).rejects.toMatchObject({ code: 'chat.chatbot-not-found' });
    expect(await offered(viewer)).toHaveLength(1);
    await publish(viewer, made);
    expect((await offered(viewer)).map(({ name }) => name)).toEqual(['Assistant', 'Grid Engineer']);
  });

  test('of two who edit, the second is shown what the first has written, and loses nothing of it', async () => {
    const viewer = aViewer();
    const made = await create(viewer);
    await change(viewer, made, { instructions: 'First.' });
    const late = change(viewer, made, { instructions: 'Second.' });
    await expect(late).rejects.toMatchObject({
      code: 'platform.conflict',
      extras: { current: { content: { instructions: 'First.' }, revision: 2 } },
    });
    await expect(publish(viewer, made)).rejects.toMatchObject({ code: 'platform.conflict' });
  });

  test('what was published stays as it was, newest first, and a draft that is as it was has no changes', async () => {
    const viewer = aViewer();
    const first = await publish(viewer, await create(viewer, { instructions: 'One.' }), 'first');
    const second = await publish(viewer, await change(viewer, first, { instructions: 'Two.' }), 'second');
    const back = await change(viewer, second, { instructions: 'One.' });
    expect(back.isChanged).toBe(true);
    expect((await change(viewer, back, { instructions: 'Two.' })).isChanged).toBe(false);
    const { items } = await chatbots.listVersions(of(viewer, first.id, { query: { limit: 10 } }));
    expect(items.map(({ version, note, content: { instructions } }) => [version, note, instructions])).toEqual([
      [2, 'second', 'Two.'],
      [1, 'first', 'One.'],
    ]);
    const ref = { id: first.id, version: 1 };
    expect(await rows.content(viewer.scope, ref)).toMatchObject({ instructions: 'One.' });
    await expect(rows.content(aViewer().scope, ref)).rejects.toThrow();
  });

  test('each change is told, with what was published', async () => {
    const viewer = aViewer();
    const { id } = await publish(viewer, await create(viewer), 'Shorter');
    await chatbots.delete(of(viewer, id));
    const events = (await store.recorded()).filter(({ data }) => (data as { chatbotId?: string }).chatbotId === id);
    expect(events.map(({ data }) => data)).toMatchObject([
      { change: 'draft', version: null },
      { change: 'published', version: 1, note: 'Shorter' },
      { change: 'deleted', name: 'Grid Engineer' },
    ]);
    await expect(chatbots.choose(viewer, id)).rejects.toMatchObject({ code: 'chat.chatbot-not-found' });
  });
});

test('is for whoever has the role, is in the group or is named, and looks to others as if it were not there', async () => {
  const maker = aViewer();
  const { orgId } = maker.scope;
  const [named, grouped, member] = [
    aViewer(orgId, { role: 'guest' }),
    aViewer(orgId, { role: 'guest' }),
    aViewer(orgId),
  ];
  const groupId = newId('group');
  const audience = {
    kind: 'some' as const,
    roles: ['analyst' as const],
    groupIds: [groupId],
    userIds: [named.principal.userId],
  };
  const { id } = await publish(maker, await create(maker, { audience }));
  const inGroup = { ...grouped, principal: withOrganisation(grouped, { groupIds: [groupId] }) };
  const analyst = { ...member, principal: withOrganisation(member, { role: 'analyst' as const }) };
  for (const viewer of [named, inGroup, analyst]) {
    expect(await offered(viewer)).toHaveLength(2);
    expect(await chatbots.choose(viewer, id)).toMatchObject({ id });
  }
  for (const viewer of [maker, grouped]) {
    expect(await offered(viewer)).toHaveLength(1);
    await expect(chatbots.choose(viewer, id)).rejects.toMatchObject({ code: 'chat.chatbot-not-found' });
  }
});

const withOrganisation = ({ principal }: Viewer, more: Partial<Viewer['principal']['organisation']>) => ({
  ...principal,
  organisation: { ...principal.organisation, ...more },
});
