import { describe, expect, test } from '@jest/globals';
import { allOf, contentOf, open, pathsOf, png, readAll, readOne } from '../fixtures.spec-setup.ts';

type Json = Readonly<Record<string, unknown>>;
const second = 1_750_000_000;
const said = (
  id: string,
  parentId: string | null,
  role: string | undefined,
  content: unknown,
  more: Json = {},
): Json => ({
  id,
  parentId,
  childrenIds: [],
  role,
  content,
  timestamp: second,
  ...(role === 'assistant' ? { model: 'llama3.2:3b', modelName: 'Llama', modelIdx: 0, done: true } : {}),
  ...more,
});
const row = (messages: readonly Json[], more: Json = {}, chat: Json = {}): Json => ({
  id: 'row-1',
  user_id: 'u',
  title: 'A chat',
  chat: {
    title: 'A chat',
    models: ['llama3.2:3b'],
    history: {
      currentId: messages.at(-1)?.['id'] ?? null,
      messages: Object.fromEntries(messages.map((message) => [String(message['id']), message])),
    },
    messages: [],
    timestamp: second * 1000,
    ...chat,
  },
  updated_at: second + 5,
  created_at: second,
  share_id: null,
  archived: false,
  pinned: false,
  meta: {},
  folder_id: null,
  ...more,
});

describe('a chat of Open WebUI', () => {
  test('keeps sibling answers of several models, two roots, times, pin and archive', async () => {
    const chat = await readOne([
      row(
        [
          said('q1', null, 'user', 'First'),
          said('a1', 'q1', 'assistant', 'One'),
          said('a2', 'q1', 'assistant', 'Two', { modelIdx: 1, modelName: 'Qwen' }),
          said('q2', null, 'user', 'Edited'),
          said('a3', 'q2', 'assistant', 'Three'),
        ],
        { pinned: true, archived: true },
      ),
    ]);
    expect(pathsOf(chat)).toEqual([
      ['First', 'One'],
      ['First', 'Two'],
      ['Edited', 'Three'],
    ]);
    expect(chat).toMatchObject({
      sourceId: 'row-1',
      openId: 'a3',
      isPinned: true,
      isArchived: true,
      createdAt: new Date(second * 1000),
      updatedAt: new Date((second + 5) * 1000),
    });
    expect(chat.messages.map(({ model }) => model)).toEqual([null, 'Llama', 'Qwen', null, 'Llama']);
  });

  test('shows no reasoning and no tool calls, nested or cut off', async () => {
    const hidden =
      '<details type="reasoning" done="true"><summary>Thought</summary>\n> SECRET <details>SECRET</details>\n</details>\n' +
      '<details type="tool_calls" name="x" arguments="SECRET">SECRET</details>';
    const chat = await readOne([
      row([
        said('q', null, 'user', 'Q'),
        said('a', 'q', 'assistant', `${hidden}Seen <details><summary>Kept</summary></details>`, {
          output: [{ text: 'SECRET' }],
        }),
        said('r', 'a', 'user', 'R'),
        said('b', 'r', 'assistant', 'Begun <details type="reasoning" done="false">SECRET'),
      ]),
    ]);
    expect(pathsOf(chat)).toEqual([['Q', 'Seen <details><summary>Kept</summary></details>', 'R', 'Begun']]);
  });

  test('with drifted children, lost roles, a lost current message and orphans is read', async () => {
    const chat = await readOne([
      row(
        [
          said('q', null, 'user', 'Q', { childrenIds: ['gone', 'a'] }),
          { id: 'a', content: 'A', model: 'm' },
          said('r', 'a', undefined, 'R', {}),
          said('o', 'nowhere', 'user', 'Orphan'),
        ],
        {},
        {},
      ),
    ]);
    expect(pathsOf(chat)).toEqual([['Q', 'A', 'R'], ['Orphan']]);
    const lost = await readOne([
      row(
        [said('q', null, 'user', 'Q')],
        {},
        { history: { currentId: 'gone', messages: { q: said('q', null, 'user', 'Q') } } },
      ),
    ]);
    expect(lost.openId).toBeNull();
  });

  test('keeps pictures and the text of documents; what has only an id is a loss', async () => {
    const url = `data:image/png;base64,${png.toString('base64')}`;
    const { messages, losses } = await readOne([
      row([
        said(
          'q',
          null,
          'user',
          [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url } },
          ],
          {
            files: [
              { type: 'image', url },
              { type: 'image', url: '1234-5678', name: 'new.png' },
              {
                type: 'file',
                id: 'f',
                url: 'f',
                name: 'a.pdf',
                file: { filename: 'a.pdf', data: { content: 'Its text' } },
              },
              { type: 'collection', id: 'c', name: 'Handbook' },
            ],
          },
        ),
        said('a', 'q', 'assistant', `Drawn ![cat](${url}) here`),
      ]),
    ]);
    expect(messages.map(({ text }) => text)).toEqual(['Look', 'Drawn  here']);
    expect(messages[0]?.files.map(({ name }) => name)).toEqual(['image.png', 'image.png', 'a.pdf.txt', 'cat.png']);
    expect(await contentOf(messages[0]!.files[2]!)).toBe('Its text');
    expect(losses.map(({ name }) => name)).toEqual(['new.png', 'Handbook']);
  });

  test('of the first versions, without `chat`, history or ids, is read', async () => {
    const bare = {
      title: 'Old',
      models: ['m'],
      history: { messages: { q: said('q', null, 'user', 'Q') }, currentId: 'q' },
    };
    const list = row(
      [],
      { id: 'row-2' },
      {
        history: undefined,
        messages: [
          { role: 'user', content: 'Q' },
          { role: 'assistant', content: 'A' },
        ],
      },
    );
    const [old, listed] = await readAll([bare, list]);
    expect(old).toMatchObject({ kind: 'chat', title: 'Old', sourceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(listed).toMatchObject({ kind: 'chat', messages: [{ text: 'Q' }, { text: 'A' }], openId: 'message-1' });
  });

  test('names the folder of a chat by its id, for the export has no more of it', async () => {
    const opened = await open([row([said('q', null, 'user', 'Q')], { folder_id: 'f' })]);
    expect(await allOf(opened)).toMatchObject([{ project: { id: 'f', name: null } }]);
    expect(await opened.others()).toEqual([]);
  });
});
