import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ChatbotId, ModelKey } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Viewer } from '../../../conversations/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import { chatBench } from '../../../testing/chat-bench.spec-setup.ts';

const bench = await chatBench();
const { prepare } = bench;
beforeAll(bench.ready);

const pathOf = ({ path }: { path: readonly { role: string; text: string }[] }) =>
  path.map(({ role, text }) => `${role}: ${text}`);

describe('the prompt of an answer', () => {
  test('sends the conversation up to the question, with the newest version of each answer', async () => {
    const viewer = aViewer();
    const first = await bench.ask(viewer, { text: 'One?' });
    const { id: conversationId } = first.conversation;
    await bench.end(viewer, first);
    const wish = { conversationId, parentId: first.message.id };
    const ids = { answerId: newId('message'), generationId: newId('generation') };
    const { answer } = await bench.answering.answer(viewer, { ...wish, ...ids });
    const again = (await bench.generations.findMany(viewer.scope, [answer.generation!.id]))[0]!;
    expect(pathOf(await prepare.prepare(again))).toEqual(['person: One?']);
    await bench.end(viewer, { ...first, answer }, 'Newer.');
    const second = await bench.ask(viewer, { conversationId, text: 'Two?' });
    const prepared = await prepare.prepare(await bench.find(viewer, second));
    expect(pathOf(prepared)).toEqual(['person: One?', 'assistant: Newer.', 'person: Two?']);
  });

  test('leaves out questions that a budget refused, but sends questions that failed for another reason', async () => {
    const viewer = aViewer();
    const refused = await bench.ask(viewer, { text: 'Too dear?' });
    const { id: conversationId } = refused.conversation;
    const failed = { status: 'failed', text: '' } as const;
    await bench.end(viewer, refused, { ...failed, failure: 'budget-spent' });
    const cut = await bench.ask(viewer, { conversationId, text: 'Cut?' });
    await bench.end(viewer, cut, { ...failed, failure: 'provider-cut' });
    const asked = await bench.ask(viewer, { conversationId, text: 'Now?' });
    const prepared = await prepare.prepare(await bench.find(viewer, asked));
    expect(pathOf(prepared)).toEqual(['person: Cut?', 'person: Now?']);
    // If the refused question is answered again, the model gets it.
    expect(pathOf(await prepare.prepare(await bench.find(viewer, refused)))).toEqual(['person: Too dear?']);
  });

  test('sends a question that failed and was refused later, because a model was asked once', async () => {
    const viewer = aViewer();
    const asked = await bench.ask(viewer, { text: 'Cut?' });
    const { id: conversationId } = asked.conversation;
    const failed = { status: 'failed', text: '' } as const;
    await bench.end(viewer, asked, { ...failed, failure: 'provider-cut' });
    const ids = { answerId: newId('message'), generationId: newId('generation') };
    const wish = { conversationId, parentId: asked.message.id, ...ids };
    const { answer } = await bench.answering.answer(viewer, wish);
    await bench.end(viewer, { answer }, { ...failed, failure: 'budget-spent' });
    const now = await bench.ask(viewer, { conversationId, text: 'Now?' });
    const prepared = await prepare.prepare(await bench.find(viewer, now));
    expect(pathOf(prepared)).toEqual(['person: Cut?', 'person: Now?']);
  });

  test('sends passages of the organisation’s documents that fit, numbered as they are cited', async () => {
    const [mine, theirs] = [aViewer(), aViewer()];
    await bench.addDocument(mine, 'Herons are grey.');
    await bench.addDocument(theirs, 'Herons are secret.');
    const prepared = await prepare.prepare(await bench.find(mine, await bench.ask(mine, { text: 'herons' })));
    expect(prepared.passages).toMatchObject([{ number: 1, documentName: 'Handbook', text: 'Herons are grey.' }]);
    expect(prepared.citations.map(({ number }) => number)).toEqual([1]);
    expect(prepared.documentCount).toBe(1);
  });
});

describe('the documents of an answer', () => {
  const some = (more: object) => ({ kind: 'some' as const, roles: [], groupIds: [], userIds: [], ...more });
  /** Returns the count of documents, and the passages for an answer to this person's question. */
  const given = async (viewer: Viewer, chatbotId?: ChatbotId) => {
    const asked = await bench.ask(viewer, { text: 'herons', ...(chatbotId && { chatbotId }) });
    const { passages, citations, documentCount } = await prepare.prepare(await bench.find(viewer, asked));
    expect(citations).toHaveLength(passages.length);
    return [documentCount, ...passages.map(({ text }) => text).toSorted()];
  };

  test('uses documents that the person can read, with the role and groups from when they asked', async () => {
    const owner = aViewer();
    const { orgId } = owner.scope;
    const group = newId('group');
    const member = aViewer(orgId, { role: 'member' });
    const grouped = aViewer(orgId, { role: 'member' });
    const inGroup = {
      ...grouped,
      principal: { ...grouped.principal, organisation: { ...grouped.principal.organisation, groupIds: [group] } },
    };
    await bench.addDocument(owner, 'Herons for all.');
    const owners = await bench.addConnection(owner, some({ roles: ['owner'] }));
    await bench.addDocument(owner, 'Herons for owners.', owners);
    await bench.addDocument(
      owner,
      'Herons for a group.',
      await bench.addConnection(owner, some({ groupIds: [group] })),
    );
    expect(await given(member)).toEqual([1, 'Herons for all.']);
    expect(await given(owner)).toEqual([2, 'Herons for all.', 'Herons for owners.']);
    expect(await given(inGroup)).toEqual([2, 'Herons for a group.', 'Herons for all.']);
    // The link to a passage for one person doesn't open for another.
    const [found] = await bench.retrieval.search(owner.scope, [owners], 'herons', 1);
    const read = (viewer: Viewer) => bench.passages.read({ ...viewer, params: { chunkId: found!.chunkId } } as never);
    expect(await read(owner)).toMatchObject({ text: 'Herons for owners.' });
    await expect(read(member)).rejects.toMatchObject({ code: 'chat.passage-not-found' });
    const listed = async (viewer: Viewer) =>
      (await bench.documents.list({ ...viewer, query: { limit: 10 } } as never)).counts.all;
    expect([await listed(member), await listed(owner)]).toEqual([1, 3]);
    const offered = (viewer: Viewer) => bench.offeredModels.list(viewer as never);
    expect((await offered(member)).documentCount).toBe(1);
  });

  test('uses only documents that both the chatbot can use and the person can read', async () => {
    const owner = aViewer();
    const member = aViewer(owner.scope.orgId, { role: 'member' });
    const [open, closed] = [
      await bench.addConnection(owner),
      await bench.addConnection(owner, some({ roles: ['owner'] })),
    ];
    await bench.addDocument(owner, 'Herons of uploads.');
    await bench.addDocument(owner, 'Herons, open.', open);
    await bench.addDocument(owner, 'Herons, closed.', closed);
    const knowledge = { passages: 6, onlyFromDocuments: false, connectionIds: [open, closed] };
    const chatbotId = await bench.addChatbot(owner, { knowledge });
    expect(await given(owner, chatbotId)).toEqual([2, 'Herons, closed.', 'Herons, open.']);
    expect(await given(member, chatbotId)).toEqual([1, 'Herons, open.']);
  });
});

describe('chatbots', () => {
  const instructions = 'You help {{person.name}} of {{org.name}} in {{person.locale}}.';
  const quiet = {
    instructions,
    temperature: 0.2,
    knowledge: { passages: 1, onlyFromDocuments: true, connectionIds: null },
  };

  test('answers by the version that was published when the question was asked', async () => {
    const viewer = aViewer();
    await bench.addDocument(viewer, 'Herons are grey.');
    await bench.addDocument(viewer, 'Herons are quiet.');
    const chatbotId = await bench.addChatbot(viewer, quiet);
    const asked = await bench.ask(viewer, { text: 'herons', chatbotId });
    const told = { id: chatbotId, version: 1, name: 'Grid Engineer', glyph: 'bot' };
    expect(asked.answer.generation?.chatbot).toEqual(told);
    const draft = await bench.chatbots.getDraft({ ...viewer, params: { chatbotId } } as never);
    const changed = { ...draft.content, instructions: 'Sing.' };
    const body = { revision: draft.revision, content: changed };
    const { revision } = await bench.chatbots.change({ ...viewer, params: { chatbotId }, body } as never);
    await bench.chatbots.publish({ ...viewer, params: { chatbotId }, body: { revision, note: '' } } as never);
    const prepared = await prepare.prepare(await bench.find(viewer, asked));
    const { name, locale } = viewer.principal;
    expect(prepared).toMatchObject({ instructions: `You help ${name} of Acme in ${locale}.`, temperature: 0.2 });
    expect(prepared.passages).toHaveLength(1);
    const next = await bench.ask(viewer, { text: 'herons', chatbotId });
    expect(await prepare.prepare(await bench.find(viewer, next))).toMatchObject({ instructions: 'Sing.' });
    const events = await bench.eventsOf(next.conversation.id);
    expect(events.map(({ data }) => (data as { chatbot?: unknown }).chatbot)).toContainEqual({
      id: chatbotId,
      version: 2,
    });
  });

  test('asks no model if the chatbot only answers from documents and nothing is found', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, quiet);
    const asked = await bench.ask(viewer, { text: 'herons', chatbotId });
    const { client, ...prepared } = await prepare.prepare(await bench.find(viewer, asked));
    let said = '';
    await client.answer(
      { ...prepared, beginning: '', maxOutputTokens: null, locale: 'en', signal: new AbortController().signal },
      (part) => void (said += part.kind === 'text' ? part.text : ''),
    );
    expect(said).toBe('Nothing in your documents answers this.');
  });

  test('refuses a question to a chatbot that the person can’t use, and stores nothing', async () => {
    const viewer = aViewer();
    const audience = { kind: 'some' as const, roles: [], groupIds: [], userIds: [] };
    const chatbotId = await bench.addChatbot(viewer, { audience });
    await expect(bench.ask(viewer, { chatbotId })).rejects.toMatchObject({ code: 'chat.chatbot-not-found' });
    expect((await bench.keeping.list({ ...viewer, query: { limit: 10 } } as never)).items).toEqual([]);
  });

  test('answers on the chatbot’s model, or on its fallback if that model is no longer offered', async () => {
    const viewer = aViewer();
    const gone = 'prv_01M7Z6X0BT7J6QPJC5FQE3HR01/atlas' as ModelKey;
    const builtin = 'builtin' as ModelKey;
    const pinned = await bench.addChatbot(viewer, { model: gone });
    await expect(bench.ask(viewer, { chatbotId: pinned })).rejects.toMatchObject({ code: 'chat.model-not-found' });
    const safe = await bench.addChatbot(viewer, { model: gone, fallback: builtin });
    expect((await bench.ask(viewer, { chatbotId: safe })).answer.generation?.model.key).toBe(builtin);
  });
});
