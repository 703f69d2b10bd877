import { describe, expect, test } from '@jest/globals';
import { pathsOf, readAll, readOne, zipOf } from '../fixtures.spec-setup.ts';

type Json = Readonly<Record<string, unknown>>;
const start = '00000000-0000-0000-0000-000000000000';
const said = (
  messageId: string,
  parentMessageId: string,
  isCreatedByUser: boolean,
  text: string,
  more: Json = {},
): Json => ({
  messageId,
  parentMessageId,
  isCreatedByUser,
  sender: isCreatedByUser ? 'User' : 'GPT-4o',
  text,
  createdAt: '2025-03-01T10:00:00.000Z',
  updatedAt: '2025-03-01T10:00:01.000Z',
  model: isCreatedByUser ? null : 'gpt-4o',
  error: false,
  ...more,
});
const conversation = (messages: readonly Json[], more: Json = {}): Json => ({
  conversationId: 'c1',
  endpoint: 'openAI',
  title: 'A chat',
  exportAt: '10:20:30 GMT+0000',
  branches: true,
  recursive: false,
  messages,
  ...more,
});
const flat = [
  said('q1', start, true, 'First'),
  said('a1', 'q1', false, 'One'),
  said('a2', 'q1', false, 'Two'),
  said('q2', start, true, 'Other', { createdAt: undefined, updatedAt: undefined }),
];

describe('a conversation of LibreChat', () => {
  test('with all branches, flat or nested, has the same paths', async () => {
    const nested = [
      {
        ...flat[0],
        children: [
          { ...flat[1], children: [] },
          { ...flat[2], children: [] },
        ],
      },
      { ...flat[3], children: [] },
    ];
    const paths = [['First', 'One'], ['First', 'Two'], ['Other']];
    for (const more of [{}, { recursive: true, messages: nested }, { messages: undefined, messagesTree: nested }]) {
      const chat = await readOne(conversation(flat, more));
      expect(pathsOf(chat)).toEqual(paths);
      expect(chat).toMatchObject({ sourceId: 'c1', openId: null, createdAt: new Date('2025-03-01T10:00:00Z') });
      expect(chat.messages[1]?.model).toBe('gpt-4o');
    }
  });

  test('nested 10,000 levels deep is read', async () => {
    let json = '[]';
    for (let at = 9_999; at >= 0; at -= 1) {
      const parent = at === 0 ? start : `m${at - 1}`;
      json = `[${JSON.stringify(said(`m${at}`, parent, at % 2 === 0, `${at}`)).slice(0, -1)},"children":${json}}]`;
    }
    const chat = await readOne(`{"conversationId":"deep","recursive":true,"messages":${json}}`);
    expect(chat.messages).toHaveLength(10_000);
  });

  test('shows no reasoning, tools or failures; what follows an empty message is kept', async () => {
    const chat = await readOne(
      conversation([
        said('q', start, true, 'Q'),
        said('e', 'q', false, '', {
          content: [{ type: 'tool_call', tool_call: { args: 'SECRET', output: 'SECRET' } }],
        }),
        said('a', 'e', false, 'SECRET', {
          content: [
            { type: 'think', think: 'SECRET' },
            { type: 'text', text: 'Seen' },
            { type: 'text', text: { value: 'Too' } },
            { type: 'error', error: 'SECRET' },
            { type: 'agent_update', agent_update: {} },
            { type: 'summary', text: 'SECRET' },
          ],
        }),
        said('f', 'a', false, 'SECRET failure', { error: true }),
        said('r', 'f', true, 'Next'),
        said(
          'b',
          'r',
          false,
          ':::thinking\nSECRET\n:::\nPlain\n:::artifact{identifier="x" title="T"}\n```html\n<p>\n```\n:::',
        ),
      ]),
    );
    expect(pathsOf(chat)).toEqual([['Q', 'Seen\n\nToo', 'Next', 'Plain\n```html\n<p>\n```']]);
  });

  test('names the files that it never holds', async () => {
    const { losses } = await readOne(
      conversation([
        said('q', start, true, 'Q', { files: [{ file_id: '1', filename: 'a.pdf', filepath: '/x' }] }),
        said('a', 'q', false, 'A', {
          attachments: [{ file_id: '2', filename: 'b.png' }],
          content: [
            { type: 'text', text: 'A' },
            { type: 'image_file', image_file: { file_id: '2', filepath: '/images/u/b.png' } },
          ],
        }),
      ]),
    );
    expect(losses.map(({ messageId, name }) => [messageId, name])).toEqual([
      ['q', 'a.pdf'],
      ['a', 'b.png'],
    ]);
  });

  test('is one of many in an archive', async () => {
    const other = conversation([said('q', start, true, 'Q')], { conversationId: 'c2' });
    const found = await readAll(
      zipOf({ 'chats/one.json': conversation(flat), 'chats/two.json': other, 'chats/x.json': '{"a":' }),
    );
    expect(found.map(({ kind, sourceId }) => [kind, sourceId])).toEqual([
      ['chat', 'c1'],
      ['chat', 'c2'],
      ['broken', null],
    ]);
  });
});
