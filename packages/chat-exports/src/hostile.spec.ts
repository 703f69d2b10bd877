import { describe, expect, test } from '@jest/globals';
import { readAll } from './fixtures.spec-setup.ts';
import { gptConversation, gptMessage, said } from './sources/chatgpt.spec-setup.ts';

/** What takes time that grows with the square of its length would not end within the minute that a test has. */
const length = 1_000_000;
const filled = (text: string): string => text.repeat(Math.ceil(length / text.length));
const listOf = <Item>(count: number, item: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => item(at));

const ofChatGpt = (text: string, metadata: object = {}) => [
  gptConversation([said('q', null, 'user', 'Q'), said('a', 'q', 'assistant', text, { metadata })]),
];
const ofClaude = (more: object) => [{ uuid: 'c', chat_messages: [{ uuid: 'a', sender: 'assistant', ...more }] }];
const ofOpenWebUi = (content: string) => [
  { id: 'r', user_id: 'u', chat: { history: { messages: { a: { id: 'a', role: 'assistant', content } } } } },
];
const ofLibreChat = (text: string) => ({ conversationId: 'c', messages: [{ messageId: 'a', text }] });
const marked = '\uE200cite\uE202t\uE201';
const links = listOf(500, (at) => ({ title: 't', url: `https://example.org/${at}${'x'.repeat(1_500)}` }));
const picture = (at: number) => ({ content_type: 'image_asset_pointer', asset_pointer: `sediment://file_${at}` });

describe('an export that wants to cost much', () => {
  test.each<[string, () => object]>([
    ['beginnings of reasoning', () => ofLibreChat(filled(':::thinking\n'))],
    ['artifacts', () => ofLibreChat(filled(':::artifact{a}\n:::\n'))],
    ['nested details', () => ofOpenWebUi(filled('<details type="reasoning">'))],
    ['details without an end', () => ofOpenWebUi(filled('<details '))],
    ['data URLs without an end', () => ofOpenWebUi(filled('](data:image/'))],
    ['pictures in the text', () => ofOpenWebUi(filled('![](data:image/png;base64,AAAA)'))],
    ['marks without an end', () => ofChatGpt(filled('\uE200cite'))],
    [
      'marks of one long list of links',
      () => ofChatGpt(filled(marked), { content_references: [{ matched_text: marked, items: links }] }),
    ],
    ['old marks', () => ofChatGpt(filled('【1†'))],
    ['brackets', () => ofChatGpt(filled('['))],
    ['links to the sandbox', () => ofChatGpt(filled('[a](sandbox:'))],
    ['documents in the text', () => ofChatGpt(filled(':::writing{'))],
    ['white space', () => ofChatGpt(`a${filled(' \t')}b${filled('\n ')}c`)],
    [
      'links',
      () =>
        ofClaude({
          content: [
            {
              type: 'text',
              text: filled('word '),
              citations: listOf(20_000, (at) => ({ end_index: at, url: `https://a.org/${at}` })),
            },
          ],
        }),
    ],
    [
      'words about blocks',
      () => ofClaude({ text: filled('This block is not supported on your current device yet.\n') }),
    ],
  ])('%s end in time, within the length of a text', async (_name, make) => {
    for (const chat of await readAll(make()))
      for (const { text } of chat.kind === 'chat' ? chat.messages : [])
        expect(text.length).toBeLessThanOrEqual(200_000);
  });

  test('fences and pictures without number do not fill the stack', async () => {
    const code = gptMessage('a', 'assistant', '', { content: { content_type: 'code', text: filled('```a') } });
    const pictures = gptMessage('p', 'user', '', {
      content: { content_type: 'multimodal_text', parts: listOf(130_000, picture) },
      metadata: { attachments: listOf(20_000, (at) => ({ id: `file_x${at}` })) },
    });
    const [chat] = await readAll([
      gptConversation([
        { id: 'p', parent: null, children: [], message: { ...pictures } },
        { id: 'a', parent: 'p', children: [], message: { ...code } },
      ]),
    ]);
    expect(chat).toMatchObject({ kind: 'chat', messages: [{ files: [] }, {}] });
    expect(chat?.kind === 'chat' && chat.losses.length).toBe(10_000);
  });
});
