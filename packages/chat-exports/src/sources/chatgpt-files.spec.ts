import { describe, expect, test } from '@jest/globals';
import { allOf, contentOf, open, openAll, png, readOne, upload, zipOf } from '../fixtures.spec-setup.ts';
import { branched, gptConversation, gptMessage, said } from './chatgpt.spec-setup.ts';

const question = said('q', null, 'user', 'Question');
const pointer = (id: string, scheme = 'sediment') => ({
  content_type: 'image_asset_pointer',
  asset_pointer: `${scheme}://${id}`,
  size_bytes: 3,
  width: 1,
  height: 1,
});
const withImage = (id: string, attachments: readonly object[] = [], scheme?: string) =>
  gptMessage('q', 'user', '', {
    content: { content_type: 'multimodal_text', parts: [pointer(id, scheme), 'Look'] },
    metadata: { attachments },
  });
const oneMessage = (message: object) => [gptConversation([{ id: 'q', parent: null, message: { ...message } }])];

describe('files of ChatGPT', () => {
  test.each([
    ['file-abc-cat.png', 'file-service', 'file-abc', 'image.png'],
    ['dalle-generations/file-abc-11111111-2222-3333-4444-555555555555.png', 'file-service', 'file-abc', 'image.png'],
    ['user-1/file_00aa-11111111-2222-3333-4444-555555555555.png', 'sediment', 'file_00aa', 'image.png'],
    ['file_00aa-sanitized.png', 'sediment', 'file_00aa', 'image.png'],
    ['file_00aa.dat', 'sediment', 'file_00aa', 'image.png'],
  ])('%s is found by its id', async (path, scheme, id) => {
    const zip = zipOf({ 'conversations.json': oneMessage(withImage(id, [], scheme)), [path]: png });
    const { messages, losses } = await readOne(zip);
    expect(losses).toEqual([]);
    expect(messages[0]?.files).toMatchObject([{ name: expect.stringMatching(/\.png$/), bytes: png.length }]);
    expect(messages[0]?.text).toBe('Look');
  });

  test('a picture that is an attachment, too, is there once, with its name', async () => {
    const attachments = [{ id: 'file-abc', name: 'Cat.png', mime_type: 'image/png' }];
    const zip = zipOf({ 'conversations.json': oneMessage(withImage('file-abc', attachments)), 'file-abc.dat': png });
    expect((await readOne(zip)).messages[0]?.files).toMatchObject([{ name: 'Cat.png' }]);
  });

  test('documents, code and unknown types: by name, type or content', async () => {
    const attachments = [
      { id: 'file-1', name: 'notes', mime_type: 'text/markdown' },
      { id: 'file-2', name: 'tool.py', mime_type: 'text/x-python' },
      { id: 'file-3', name: 'movie.mp4', mime_type: 'video/mp4' },
      { id: 'file-4', name: 'gone.pdf', mime_type: 'application/pdf' },
      { id: 'file-5', name: 'plain', mime_type: null },
    ];
    const zip = zipOf({
      'conversations.json': oneMessage(gptMessage('q', 'user', 'Read', { metadata: { attachments } })),
      'file-1.dat': '# Notes',
      'file-2.dat': 'print()',
      'file-3.dat': 'movie',
      'file-5.dat': 'plain text',
    });
    const { messages, losses } = await readOne(zip);
    const [message] = messages;
    expect(message?.files.map(({ name }) => name)).toEqual(['notes.md', 'tool.py.txt', 'plain.txt']);
    expect(await contentOf(message!.files[0]!)).toBe('# Notes');
    expect(losses).toEqual([
      { messageId: 'q', what: 'file-type-not-supported', name: 'movie.mp4' },
      { messageId: 'q', what: 'file-not-in-export', name: 'gone.pdf' },
    ]);
  });

  test('names come from the list of assets, documents of answers from the library', async () => {
    const zip = zipOf({
      'conversations-000.json': [
        gptConversation([
          { id: 'q', parent: null, message: withImage('file_00aa') },
          said('a', 'q', 'assistant', 'Written'),
          said('r', 'a', 'user', 'Thanks'),
        ]),
      ],
      'conversation_asset_file_names.json': { 'file_00aa.dat': 'chat/Drawing.png' },
      'library_files.json': [
        {
          id: { id: '1' },
          file_id: 'file_00bb',
          file_name: 'Report.docx',
          mime_type: null,
          origination_message_id: 'a',
        },
        {
          id: { id: '2' },
          file_id: 'file_00cc',
          file_name: 'Old.md',
          origination_message_id: 'a',
          deleted_at: '2026-01-01',
        },
      ],
      'file_00aa.dat': png,
      'file_00bb.dat': 'docx',
      'export_manifest.json': { version: 1, export_files: [], logical_files: {} },
    });
    const { messages, losses } = await readOne(zip);
    expect(losses).toEqual([]);
    expect(messages.map(({ files }) => files.map(({ name }) => name))).toEqual([['Drawing.png'], [], ['Report.docx']]);
  });

  test('generated pictures are in tool messages; pages that tools looked at are not shown', async () => {
    const tool = (id: string, parent: string, name: string, asset: string) => ({
      id,
      parent,
      message: gptMessage(id, 'tool', '', {
        author: { role: 'tool', name, metadata: {} },
        content: { content_type: 'multimodal_text', parts: [pointer(asset), 'SECRET caption'] },
      }),
    });
    const zip = zipOf({
      'conversations.json': [
        gptConversation([
          question,
          tool('t1', 'q', 'dalle.text2im', 'file-1'),
          tool('t2', 't1', 't2uay3k.sj1i4kz', 'file-2'),
          tool('t3', 't2', 'file_search.msearch', 'file-3'),
        ]),
      ],
      'file-1-a.webp': png,
      'file-3-c.png': png,
    });
    const { messages, losses } = await readOne(zip);
    expect(messages.map(({ sourceId, text, files }) => [sourceId, text, files.length])).toEqual([
      ['q', 'Question', 1],
      ['t2', '*image*\n\n*image*', 0],
    ]);
    expect(losses).toEqual([{ messageId: 'q', what: 'file-not-in-export', name: 'image' }]);
  });
});

describe('an export of ChatGPT', () => {
  const numbered = (number: number) => gptConversation(branched, { conversation_id: `c${number}`, id: `c${number}` });
  const idsOf = async (...zips: readonly Buffer[]) => {
    const opened = await openAll(zips.map((zip, at) => upload(zip, `part-${at}.zip`)));
    return (await allOf(opened)).map(({ sourceId }) => sourceId);
  };

  test('in shards has each conversation once, in the order of the shards', async () => {
    const zip = zipOf({
      'conversations-010.json': [numbered(4)],
      'conversations-002.json': [numbered(2), numbered(3)],
      'conversations-000.json': [numbered(1), numbered(2)],
      'chat.html': '<html>',
      'user.json': { id: 'user' },
      'shared_conversations.json': [{ id: 'x', conversation_id: 'c1', title: 'A', is_anonymous: true }],
    });
    expect(await idsOf(zip)).toEqual(['c1', 'c2', 'c3', 'c4']);
  });

  test('in several parts finds files of one part for chats of another', async () => {
    const chats = zipOf({ 'conversations-000.json': oneMessage(withImage('file-abc')) });
    const opened = await openAll([upload(chats, '1.zip'), upload(zipOf({ 'file-abc.dat': png }), '2.zip')]);
    const [chat] = await allOf(opened);
    expect(chat).toMatchObject({ kind: 'chat', losses: [], messages: [{ files: [{ name: 'image.png' }] }] });
  });

  test.each([0, 6] as const)('of the privacy portal is read through the outer archive (level %s)', async (level) => {
    const portal = zipOf(
      {
        'User Online Activity/Conversations_1-chatgpt-0001.zip': zipOf({
          'conversations-000.json': oneMessage(withImage('file-abc')),
        }),
        'User Online Activity/Files_1-files-0001.zip': zipOf({ 'file-abc.dat': png }),
        'README.txt': 'Your data',
      },
      level,
    );
    expect(await readOne(portal)).toMatchObject({ losses: [], messages: [{ files: [{ name: 'image.png' }] }] });
  });

  test('counts and names custom GPTs, instructions and memories', async () => {
    const edited = {
      content_type: 'user_editable_context',
      user_profile: 'x',
      user_instructions: 'Be brief.\nAlways.',
    };
    const opened = await open([
      gptConversation(branched, { conversation_id: '1', gizmo_id: 'g-p-1' }),
      gptConversation(branched, { conversation_id: '2', gizmo_id: 'g-abc' }),
      gptConversation(
        [
          question,
          said('e', 'q', 'user', '', { content: edited }),
          said('m', 'q', 'user', '', {
            content: { content_type: 'model_editable_context', model_set_context: '1. Likes herons' },
          }),
        ],
        { conversation_id: '3', gizmo_id: 'g-abc' },
      ),
    ]);
    await allOf(opened);
    expect(await opened.others()).toEqual([
      { kind: 'custom-chatbots', count: 1, names: ['g-abc'] },
      { kind: 'prompts', count: 1, names: ['Be brief. Always.'] },
      { kind: 'memories', count: 1, names: ['1. Likes herons'] },
    ]);
  });

  test('names the project of a chat, also of one that a custom GPT has answered in it', async () => {
    const opened = await open([
      gptConversation(branched, { conversation_id: '1', gizmo_id: 'g-p-1' }),
      gptConversation(branched, { conversation_id: '2', gizmo_id: 'g-abc', conversation_template_id: 'g-p-2' }),
      gptConversation(branched, { conversation_id: '3', gizmo_id: 'g-abc' }),
    ]);
    const chats = await allOf(opened);
    expect(chats.map((chat) => chat.kind === 'chat' && chat.project)).toEqual([
      { id: 'g-p-1', name: null },
      { id: 'g-p-2', name: null },
      null,
    ]);
    expect(await opened.others()).toMatchObject([{ kind: 'custom-chatbots', count: 1 }]);
    expect(await opened.projects()).toEqual([]);
  });

  test('names the first twenty of what can’t be imported', async () => {
    const all = Array.from({ length: 25 }, (_, at) =>
      gptConversation(branched, { conversation_id: `${at}`, gizmo_id: `g-${at}` }),
    );
    const opened = await open(all);
    await allOf(opened);
    const [gpts] = await opened.others();
    expect([gpts?.count, gpts?.names.length, gpts?.names[0]]).toEqual([25, 20, 'g-0']);
  });
});
