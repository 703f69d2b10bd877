import { beforeAll, describe, expect, test } from '@jest/globals';
import { allOf, open } from '@parley/chat-exports/fixtures';
import { newId } from '@parley/platform/ids';
import { conversationRows } from './conversations/conversation.collection.ts';
import { ownFieldsOf, type OwnFields, type Viewer } from './conversations/index.ts';
import { importBench } from './testing/import-bench.spec-setup.ts';
import { aViewer } from './testing/viewer.spec-setup.ts';
import { exportsBench } from './workspace/exports/exports-bench.spec-setup.ts';

const here = await exportsBench();
const there = await importBench();
beforeAll(async () => void (await Promise.all([here.ready(), there.ready()])));

/** Every field with a value that is not its default. */
const own: OwnFields = { title: 'Herons in May', isPinned: true, isArchived: true };
/** These fields decide where a chat is listed. A branch is listed as a new chat. */
const ofLists: readonly string[] = ['isPinned', 'isArchived'] satisfies (keyof OwnFields)[];

async function answered({ ask, end, mongo }: Pick<typeof there, 'ask' | 'end' | 'mongo'>, viewer: Viewer, set: object) {
  const asked = await ask(viewer);
  await end(viewer, asked, 'Three quiet herons.');
  const { conversation, answer } = asked;
  await mongo.rows(conversationRows).within(viewer.scope).update({ _id: conversation.id }, { $set: set });
  return { conversationId: conversation.id, messageId: answer.id };
}

describe.each(Object.entries(own))('the field %s of a conversation', (field, value) => {
  test('is exported, and comes back with the import', async () => {
    const viewer = aViewer();
    const { conversationId } = await answered(here, viewer, { [field]: value });
    const { text } = await here.exportOne(viewer, conversationId, 'json');
    const newcomer = aViewer();
    there.given.source = 'parley';
    await there.imported(newcomer, await allOf(await open(text)));
    const [row] = await there.mongo.rows(conversationRows).within(newcomer.scope).find({});
    expect(ownFieldsOf(row!)).toHaveProperty(field, value);
  });

  test(`is ${ofLists.includes(field) ? 'not ' : ''}copied to a branch`, async () => {
    const viewer = aViewer();
    const { conversationId, messageId } = await answered(there, viewer, { [field]: value });
    const body = { id: newId('conversation'), messageId, copies: 'path' };
    const { id } = await there.branching.branch({ ...viewer, params: { conversationId }, body } as never);
    const branch = ownFieldsOf((await there.conversations.find(viewer.scope, id))!);
    expect(branch).toHaveProperty(field, ofLists.includes(field) ? false : value);
  });
});
