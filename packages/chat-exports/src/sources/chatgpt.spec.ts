import { describe, expect, test } from '@jest/globals';
import { pathsOf, readAll, readOne } from '../fixtures.spec-setup.ts';
import { branched, gptConversation, gptMessage, said, second, slim, type GptNode } from './chatgpt.spec-setup.ts';

const chatOf = (nodes: readonly GptNode[], more = {}) => readOne([gptConversation(nodes, more)]);
const question = said('q', null, 'user', 'Question');
const answerWith = (content: object, more: object = {}) =>
  chatOf([question, { id: 'a', parent: 'q', message: gptMessage('a', 'assistant', '', { content, ...more }) }]);
const answered = async (text: string, metadata: object = {}): Promise<string | undefined> =>
  (await chatOf([question, said('a', 'q', 'assistant', text, { metadata })])).messages[1]?.text;

describe('a conversation of ChatGPT', () => {
  test('keeps its branches, times, title, model, the branch that was open, archive and pin', async () => {
    const chat = await chatOf(branched, { current_node: 'a1', is_archived: true, pinned_time: second });
    expect(chat).toMatchObject({
      sourceId: 'conversation-1',
      title: 'A chat',
      createdAt: new Date(second * 1000),
      updatedAt: new Date((second + 60.5) * 1000),
      isPinned: true,
      isArchived: true,
      openId: 'a1',
      losses: [],
    });
    expect(pathsOf(chat)).toEqual([
      ['First question', 'First answer'],
      ['Better question', 'Better answer', 'And then?'],
    ]);
    expect(chat.messages[1]).toMatchObject({ model: 'gpt-5', createdAt: new Date(second * 1000) });
  });

  test('never shows reasoning, tools, system messages or what was hidden', async () => {
    const hiddenMore = [
      said('h', 'q3', 'user', 'SECRET', { metadata: { is_visually_hidden_from_conversation: true } }),
      said('u', 'h', 'user', 'SECRET', { metadata: { is_user_system_message: true } }),
      said('c', 'u', 'assistant', 'SECRET', { channel: 'analysis' }),
      said('b', 'c', 'assistant', 'SECRET', { recipient: 'bio' }),
      said('x', 'b', 'tool', 'SECRET', { content: { content_type: 'execution_output', text: 'SECRET' } }),
      said('e', 'x', 'user', '', {
        content: { content_type: 'user_editable_context', user_profile: 'SECRET', user_instructions: 'SECRET' },
      }),
      said('m', 'e', 'assistant', '', {
        content: { content_type: 'model_editable_context', model_set_context: 'SECRET' },
      }),
      said('z', 'm', 'assistant', 'Visible'),
    ];
    const chat = await chatOf([...branched, ...hiddenMore]);
    expect(JSON.stringify(chat)).not.toContain('SECRET');
    expect(pathsOf(chat).at(-1)?.at(-1)).toBe('Visible');
  });

  test('of the slim variant, without children, has its links and its only model', async () => {
    const chat = await readOne([slim()]);
    expect(pathsOf(chat)).toEqual([['Hi', 'Hello']]);
    expect(chat.messages[1]?.model).toBe('gpt-5-mini');
  });

  test('with null messages, null and empty parts, and numbers as text is read', async () => {
    const chat = await chatOf(
      [
        question,
        { id: 'n', parent: 'q', message: null },
        said('a', 'n', 'assistant', '', { content: { content_type: 'text', parts: [null, '', 'Answer'] } }),
        said('e', 'a', 'user', '', { content: { content_type: 'text', parts: [] } }),
      ],
      { title: 12, create_time: '1700000000', update_time: 1_700_000_000_000 },
    );
    expect(pathsOf(chat)).toEqual([['Question', 'Answer']]);
    expect(chat).toMatchObject({ title: '12', createdAt: chat.updatedAt });
  });

  test('without messages is broken, and the others are read', async () => {
    const shell = { title: 'Shell', conversation_id: 'shell', create_time: second };
    const found = await readAll([
      shell,
      gptConversation([]),
      gptConversation(branched, { conversation_id: 'good' }),
      5,
    ]);
    expect(
      found.map((chat) => (chat.kind === 'chat' ? chat.sourceId : [chat.reason, chat.sourceId, chat.title])),
    ).toEqual([
      ['no-messages', 'shell', 'Shell'],
      ['no-messages', 'conversation-1', 'A chat'],
      'good',
      ['not-a-chat', null, null],
    ]);
  });

  test('has no halves of characters and no control characters', async () => {
    const chat = await chatOf([said('q', null, 'user', 'a\uD800b\u0000\u0007c\r\nd')], { title: 'T\uDC00\n\u202E1' });
    expect([chat.title, chat.messages[0]?.text]).toEqual(['T 1', 'abc\nd']);
  });
});

describe('what is written in an answer of ChatGPT', () => {
  test('code is fenced', async () => {
    const { messages } = await answerWith({ content_type: 'code', language: 'python', text: 'print("```")' });
    expect(messages[1]?.text).toBe('````python\nprint("```")\n````');
  });

  test('a transcript of speech is text, and its sound a loss', async () => {
    const { messages, losses } = await chatOf([
      {
        id: 'v',
        parent: null,
        message: gptMessage('v', 'user', '', {
          content: {
            content_type: 'multimodal_text',
            parts: [
              { content_type: 'audio_transcription', text: 'Spoken', direction: 'in' },
              {
                content_type: 'real_time_user_audio_video_asset_pointer',
                audio_asset_pointer: {
                  content_type: 'audio_asset_pointer',
                  asset_pointer: 'sediment://file_00ff',
                  format: 'wav',
                },
              },
            ],
          },
        }),
      },
    ]);
    expect(messages[0]?.text).toBe('Spoken');
    expect(losses).toEqual([{ messageId: 'v', what: 'file-not-in-export', name: 'audio' }]);
  });

  test('marks of citations become links where the message has them, and go where not', async () => {
    const cite = '\uE200cite\uE202turn0search0\uE201';
    const references = {
      content_references: [{ matched_text: cite, items: [{ title: 'A [site]', url: 'https://example.org/a_(b)' }] }],
    };
    expect(await answered(`True ${cite}.`, references)).toBe('True ([A \\[site\\]](https://example.org/a_%28b%29)).');
    expect(await answered(`True ${cite}.`)).toBe('True.');
    expect(await answered('\uE200entity\uE202["city","Paris","x"]\uE201 is far\uE200image_group\uE202{}\uE201.')).toBe(
      'Paris is far.',
    );
    expect(await answered('Cut \uE200cite\uE202turn0se')).toBe('Cut');
    const bad = { content_references: [{ matched_text: cite, items: [{ title: 'x', url: 'javascript:alert(1)' }] }] };
    expect(await answered(`True ${cite}`, bad)).toBe('True');
  });

  test('old citations are linked in their order, if all are there', async () => {
    const citations = [
      { metadata: { title: 'One', url: 'https://one.org/' } },
      { metadata: { title: 'Two', url: 'https://two.org/' } },
    ];
    const text = 'First【3†source】, second【7:1†two.pdf】.';
    expect(await answered(text, { citations })).toBe(
      'First ([One](https://one.org/)), second ([Two](https://two.org/)).',
    );
    expect(await answered(text, { citations: citations.slice(1) })).toBe('First, second.');
  });

  test('documents of a canvas are shown as they were made; what is cut off is a loss', async () => {
    const canvas = (id: string, parent: string, recipient: string, text: string) =>
      said(id, parent, 'assistant', '', { recipient, content: { content_type: 'code', language: 'json', text } });
    const made = JSON.stringify({ name: 'Plan', type: 'document', content: '# Plan' });
    const coded = JSON.stringify({ name: 'App', type: 'code/ts', content: 'let a;' });
    const rewritten = JSON.stringify({ updates: [{ pattern: '.*', replacement: '# New' }] });
    const { messages, losses } = await chatOf([
      question,
      canvas('c1', 'q', 'canmore.create_textdoc', made),
      canvas('c2', 'c1', 'canmore.create_textdoc', coded),
      canvas('c3', 'c2', 'canmore.update_textdoc', rewritten),
      canvas('c4', 'c3', 'canmore.update_textdoc', '{"updates":[{"patt'),
    ]);
    expect(messages[1]?.text).toBe('**Plan**\n\n# Plan\n\n**App**\n\n```ts\nlet a;\n```\n\n# New');
    expect(losses).toEqual([{ messageId: 'c3', what: 'canvas-incomplete', name: null }]);
  });

  test('a document in the text loses its marks, a link to the sandbox its address', async () => {
    expect(await answered(':::writing{variant="email" id="1" subject="Hello"}\nDear\n:::\nDone')).toBe(
      '**Hello**\n\nDear\n\nDone',
    );
    const { messages, losses } = await chatOf([
      question,
      said('a', 'q', 'assistant', 'See [the sheet](sandbox:/mnt/data/s.xlsx).'),
    ]);
    expect(messages[1]?.text).toBe('See the sheet.');
    expect(losses).toEqual([{ messageId: 'a', what: 'file-not-in-export', name: 's.xlsx' }]);
  });
});
