import { describe, expect, test } from '@jest/globals';
import { allOf, contentOf, openAll, pathsOf, readOne, upload, zipOf } from '../fixtures.spec-setup.ts';

type Json = Readonly<Record<string, unknown>>;
const start = '00000000-0000-4000-8000-000000000000';
const at = (second: number): string => `2026-05-01T10:00:${String(second).padStart(2, '0')}.123456Z`;

/** A message as Claude exports it; without `parent` as it did until spring 2026. */
const said = (uuid: string, sender: 'human' | 'assistant', text: string, more: Json = {}): Json => ({
  uuid,
  text,
  content: [{ start_timestamp: at(0), stop_timestamp: at(1), flags: null, type: 'text', text, citations: [] }],
  sender,
  created_at: at(0),
  updated_at: at(0),
  attachments: [],
  files: [],
  ...more,
});
const under = (parent: string): Json => ({ parent_message_uuid: parent });
const conversation = (messages: readonly Json[], more: Json = {}): Json => ({
  uuid: 'c1',
  name: 'A talk',
  summary: '',
  created_at: at(0),
  updated_at: at(30),
  account: { uuid: 'account' },
  chat_messages: messages,
  ...more,
});
const chatOf = (messages: readonly Json[], more?: Json) => readOne([conversation(messages, more)]);
const answerOf = (content: readonly Json[], more: Json = {}) =>
  chatOf([
    said('q', 'human', 'Q', under(start)),
    said('a', 'assistant', 'SECRET', { ...under('q'), content, ...more }),
  ]);

describe('a conversation of Claude', () => {
  test('keeps all branches, also where the first prompt was edited, and its times', async () => {
    const chat = await chatOf([
      said('q1', 'human', 'First', under(start)),
      said('a1', 'assistant', 'One', under('q1')),
      said('q2', 'human', 'Edited', under(start)),
      said('a2', 'assistant', 'Two', under('q2')),
      said('a3', 'assistant', 'Three', under('q2')),
      said('q4', 'human', 'More', under('a2')),
    ]);
    expect(chat).toMatchObject({
      sourceId: 'c1',
      title: 'A talk',
      createdAt: new Date('2026-05-01T10:00:00.123Z'),
      updatedAt: new Date('2026-05-01T10:00:30.123Z'),
      openId: null,
    });
    expect(pathsOf(chat)).toEqual([
      ['First', 'One'],
      ['Edited', 'Two', 'More'],
      ['Edited', 'Three'],
    ]);
  });

  test('whose messages are in another order is read by its parents, also by a null one', async () => {
    const chat = await chatOf([
      said('a2', 'assistant', 'Two', { ...under('q2'), created_at: at(4) }),
      said('q2', 'human', 'Next', { ...under('a1'), created_at: at(3) }),
      said('a1', 'assistant', 'One', { ...under('q1'), created_at: at(2) }),
      said('q1', 'human', 'First', { parent_message_uuid: null, created_at: at(1) }),
    ]);
    expect(pathsOf(chat)).toEqual([['First', 'One', 'Next', 'Two']]);
  });

  test('without parents is read in its order; two of one side in a row are versions', async () => {
    const chat = await chatOf(
      [
        said('q1', 'human', 'Old'),
        said('q2', 'human', 'New'),
        said('a1', 'assistant', 'One'),
        said('a2', 'assistant', 'Two'),
        said('q3', 'human', 'Next'),
      ],
      { name: '' },
    );
    expect(pathsOf(chat)).toEqual([['Old'], ['New', 'One'], ['New', 'Two', 'Next']]);
    expect(chat.title).toBe('');
  });

  test('shows no reasoning, tools or injected prompts, nor what it says of blocks', async () => {
    const { messages } = await answerOf([
      { type: 'thinking', thinking: 'SECRET', summaries: [{ summary: 'SECRET' }] },
      { type: 'text', text: 'Before' },
      { type: 'tool_use', id: null, name: 'web_search', input: { query: 'SECRET' }, message: 'SECRET' },
      { type: 'tool_result', tool_use_id: null, name: 'web_search', content: [{ type: 'text', text: 'SECRET' }] },
      { type: 'token_budget' },
      { type: 'flag', flag: 'SECRET' },
      { type: 'injected_prompt_block', prompt: 'SECRET' },
      { type: 'text', text: 'After' },
    ]);
    expect(messages[1]?.text).toBe('Before\n\nAfter');
    const old = await chatOf([
      said('q', 'human', 'Q'),
      said('a', 'assistant', 'A\n\n```\nThis block is not supported on your current device yet.\n```\n\nB', {
        content: [],
      }),
    ]);
    expect(old.messages[1]?.text).toBe('A\n\n\n\nB');
  });

  test('whose content is a JSON text is read', async () => {
    const content = JSON.stringify([{ type: 'text', text: 'Packed twice' }]);
    const chat = await chatOf([said('q', 'human', 'x', { content })]);
    expect(chat.messages[0]?.text).toBe('Packed twice');
  });

  test('has its citations as links, after what they support', async () => {
    const cite = (end_index: number, url: string) => ({ start_index: 0, end_index, details: { type: 'web', url } });
    const { messages } = await answerOf([
      {
        type: 'text',
        text: 'One fact. Other.',
        citations: [cite(9, 'https://a.org/'), cite(12, 'https://b.org/'), cite(3, 'data:x')],
      },
    ]);
    expect(messages[1]?.text).toBe('One fact. ([a.org](https://a.org/)) Other. ([b.org](https://b.org/))');
  });

  test('has its artifacts as they were written; changes of them are losses', async () => {
    const artifact = (input: Json): Json => ({ type: 'tool_use', name: 'artifacts', input });
    const { messages, losses } = await answerOf([
      artifact({
        command: 'create',
        title: 'App',
        type: 'application/vnd.ant.code',
        language: 'ts',
        content: 'let a;',
      }),
      artifact({ command: 'rewrite', title: 'Text', type: 'text/markdown', content: '# Hi' }),
      artifact({ command: 'update', id: 'x', old_str: 'SECRET', new_str: 'SECRET' }),
    ]);
    expect(messages[1]?.text).toBe('**App**\n\n```ts\nlet a;\n```\n\n**Text**\n\n# Hi');
    expect(losses).toEqual([{ messageId: 'a', what: 'canvas-incomplete', name: null }]);
  });

  test('has the text of its attachments as files; other files are losses of their message', async () => {
    const { messages, losses } = await chatOf([
      said('q', 'human', 'Read these', {
        attachments: [
          { file_name: '', file_size: 6, file_type: 'txt', extracted_content: 'Pasted' },
          { file_name: 'report.pdf', file_size: 6, file_type: 'pdf', extracted_content: 'Report' },
          { file_name: 'notes.md', file_size: 6, file_type: 'md', extracted_content: '# Notes' },
          { file_name: 'empty.pdf', file_size: 6, file_type: 'pdf', extracted_content: '' },
        ],
        files: [
          { file_uuid: '1', file_name: 'report.pdf' },
          { file_uuid: '2', file_name: 'cat.png' },
        ],
      }),
      said('a', 'assistant', 'Done', {
        content: [
          {
            type: 'tool_result',
            name: 'present_files',
            content: [{ type: 'local_resource', file_path: '/mnt/out/new.docx' }],
          },
          { type: 'text', text: 'Done' },
        ],
      }),
    ]);
    expect(messages[0]?.files.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['Pasted text.txt', 6],
      ['report.pdf.txt', 6],
      ['notes.md', 7],
    ]);
    expect(await contentOf(messages[0]!.files[0]!)).toBe('Pasted');
    expect(losses).toEqual([
      { messageId: 'q', what: 'file-not-in-export', name: 'empty.pdf' },
      { messageId: 'q', what: 'file-not-in-export', name: 'cat.png' },
      { messageId: 'a', what: 'file-not-in-export', name: 'new.docx' },
    ]);
  });
});

describe('an export of Claude', () => {
  const chats = [conversation([said('q', 'human', 'Q'), said('a', 'assistant', 'A')])];
  const projects = [
    { uuid: 'p1', name: 'One', prompt_template: 'Be kind', docs: [{ uuid: 'd', filename: 'Herons.md', content: 'x' }] },
    { uuid: 'p2', name: 'Two', prompt_template: '', docs: [] },
    { uuid: 'p3', name: 'How to use Claude', prompt_template: 'x', is_starter_project: true, docs: [{}] },
  ];
  const memories = {
    conversations_memory: 'x',
    project_memories: { p1: 'y' },
    memory_files: [{ name: 'birds.md' }, {}],
    account_uuid: 'account',
  };
  const othersOf = async (zips: readonly Buffer[]) => {
    const opened = await openAll(zips.map((zip, number) => upload(zip, `${number}.zip`)));
    const found = await allOf(opened);
    expect(await opened.projects()).toEqual(described);
    return [opened.source, found.length, await opened.others()];
  };
  const counted = [{ kind: 'memories', count: 4, names: ['x', 'y', 'birds.md', 'account file 1'] }];
  const rest = { chatbot: null, connections: [], isPinned: false, isArchived: false, createdAt: null };
  const described = [
    { sourceId: 'p1', name: 'One', instructions: 'Be kind', ...rest },
    { sourceId: 'p2', name: 'Two', instructions: '', ...rest },
  ];

  test('in one archive: its chats and projects, and what else is counted', async () => {
    const zip = zipOf({
      'conversations.json': chats,
      'projects.json': projects,
      'projects/p1.json': projects[0],
      'users.json': [{ uuid: 'account' }],
      'memories.json': [memories],
    });
    const [source, number, others] = await othersOf([zip]);
    expect([source, number]).toEqual(['claude', 1]);
    expect(others).toEqual(expect.arrayContaining(counted));
  });

  test('in an archive per category', async () => {
    const [source, number, others] = await othersOf([
      zipOf({ 'memories/account.json': memories }),
      zipOf({ 'projects/p1.json': projects[0], 'projects/p2.json': projects[1] }),
      zipOf({ 'users.json': [], 'login_history.json': [{ id: 1 }] }),
      zipOf({ 'conversations.json': chats }),
    ]);
    expect([source, number]).toEqual(['claude', 1]);
    expect(others).toEqual(expect.arrayContaining(counted));
  });
});
