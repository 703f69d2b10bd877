import { beforeAll, describe, expect, test } from '@jest/globals';
import { clientIdOf, type ConversationId, type IdKind, type MessageId } from '@parley/contracts';
import { derivedId } from '@parley/platform/ids';
import { importBench } from '../../testing/import-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { aChat, aFile, aLine } from './chats.spec-setup.ts';

const bench = await importBench();
beforeAll(bench.ready);
const { mongo, imported, onlyOne, textsOf } = bench;

/** Returns the first word whose derived id has the form of a client's id, which about one in 85 has. */
function until(kind: IdKind, derive: (word: string) => string): string {
  for (let at = 0; ; at += 1) if (clientIdOf(kind).safeParse(derive(`w${at}`)).success) return `w${at}`;
}
const conversationOf = ({ scope, principal }: Viewer, chat: string): ConversationId =>
  derivedId('conversation', ['import', scope.orgId, principal.userId, 'chatgpt', chat, 0]);
const messageOf = (conversation: ConversationId, message: string): MessageId =>
  derivedId('message', [conversation, message]);
const rows = (name: string) => mongo.connection.collection<{ _id: string }>(name);
/** Somebody else has a row under this id, in this organisation or another one. */
async function take(viewer: Viewer, name: string, id: string): Promise<void> {
  const other = aViewer();
  const asked = await bench.ask(other);
  const row = await rows(name).findOne({ _id: asked.answer.id });
  const conversation = await rows('conversations').findOne({ _id: asked.conversation.id });
  const copy = name === 'conversations' ? conversation : row;
  await rows(name).insertOne({ ...copy!, _id: id, orgId: viewer.scope.orgId, position: 99 } as never);
}

describe('an import whose ids somebody else has taken', () => {
  test('makes a chat of its own', async () => {
    const viewer = aViewer();
    const chat = until('conversation', (word) => conversationOf(viewer, word));
    await take(aViewer(), 'conversations', conversationOf(viewer, chat));
    await imported(viewer, [aChat(chat, aLine('h', ['herons', 'About herons']))]);
    const { id } = await onlyOne(viewer);
    expect(await textsOf(viewer, id)).toEqual(['herons', 'About herons']);
  });

  test.each([
    ['another organisation', (_viewer: Viewer) => aViewer()],
    ['a colleague', (viewer: Viewer) => viewer],
  ])('has all its messages where %s has one of their ids', async (_who, whose) => {
    const viewer = aViewer();
    const conversation = conversationOf(viewer, 'herons');
    const line = until('message', (word) => messageOf(conversation, `${word}-2`));
    await take(whose(viewer), 'messages', messageOf(conversation, `${line}-2`));
    await imported(viewer, [aChat('herons', aLine(line, ['herons', 'About herons', 'nests', 'About nests']))]);
    const { id } = await onlyOne(viewer);
    expect(await textsOf(viewer, id)).toEqual(['herons', 'About herons', 'nests', 'About nests']);
  });

  test('has its own file where a colleague has one under its id', async () => {
    const viewer = aViewer();
    const conversation = conversationOf(viewer, 'herons');
    const fileOf = (word: string) => derivedId('file', [messageOf(conversation, `${word}-1`), 0]);
    const line = until('file', fileOf);
    const colleague = aViewer(viewer.scope.orgId);
    const { orgId } = viewer.scope;
    const file = { orgId, userId: colleague.principal.userId, groupIds: [], name: 'secret.txt', bytes: 6, version: 1 };
    await rows('files').insertOne({ ...file, _id: fileOf(line), mediaType: 'text/plain', status: 'stored' } as never);
    const [question, answer] = aLine(line, ['herons', 'About herons']);
    await imported(viewer, [aChat('herons', [{ ...question!, files: [aFile('plan.txt', 'herons')] }, answer!])]);
    const { id } = await onlyOne(viewer);
    const [first] = (await bench.pathOf(viewer, id)).items;
    expect(first!.files).toMatchObject([{ name: 'plan.txt' }]);
  });
});

test('a chat whose messages an earlier version has imported grows below them, and nothing comes twice', async () => {
  const viewer = aViewer();
  const conversation = conversationOf(viewer, 'herons');
  const line = until('message', (word) => messageOf(conversation, `${word}-2`));
  const before = aLine(line, ['herons', 'About herons']);
  await imported(viewer, [aChat('herons', before)]);
  const { id } = await onlyOne(viewer);
  await asEarlier(id, messageOf(id, `${line}-2`));
  const grown = [aChat('herons', aLine(line, ['herons', 'About herons', 'nests', 'About nests']))];
  for (const again of [before, grown[0]!.messages]) await imported(viewer, [aChat('herons', again)]);
  expect(await textsOf(viewer, id)).toEqual(['herons', 'About herons', 'nests', 'About nests']);
  expect(await rows('messages').countDocuments({ conversationId: id } as never)).toBe(4);
});

/** Changes the answer's id to `formerId`, as an earlier version stored it. */
async function asEarlier(conversationId: ConversationId, formerId: MessageId): Promise<void> {
  const answer = await rows('messages').findOne({ conversationId, role: 'assistant' } as never);
  if (answer!._id === formerId) return;
  await rows('messages').deleteOne({ _id: answer!._id });
  await rows('messages').insertOne({ ...answer!, _id: formerId });
}
