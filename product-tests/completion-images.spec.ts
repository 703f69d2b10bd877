import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { newPerson } from '@parley/embedded/test-parley';
import { CompletionsBench, thrown } from './completions.spec-setup.ts';

const bench = new CompletionsBench();
/** A PNG of four pixels. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAE0lEQVQImWM4w8BwhgGMzzAwAAAZjgMx8FJdJAAAAABJRU5ErkJggg==';
const image = (base64 = png) => ({
  type: 'image_url' as const,
  image_url: { url: `data:image/png;base64,${base64}`, detail: 'low' as const },
});
const asks = (...content: ({ type: 'text'; text: string } | ReturnType<typeof image>)[]) => [
  { role: 'user' as const, content },
];

test('images of a program go to the model as JPEG', async () => {
  const client = await bench.newClient();
  const model = await bench.defaultModel();
  const messages = [
    ...asks({ type: 'text', text: 'What is this?' }, image()),
    { role: 'assistant' as const, content: 'A square.' },
    ...asks(image()),
  ];
  const answer = await client.chat.completions.create({ model, messages });
  expect(answer.choices[0]?.message.content).toBe('Hello there.');
  const sent = bench.mock.requests.map((request) => JSON.stringify(request)).join('');
  expect(sent.split('data:image/jpeg;base64,')).toHaveLength(3);
});

test('a program hears why its image is refused', async () => {
  const client = await bench.newClient();
  const model = await bench.defaultModel();
  const create = (of: typeof client, id: string, messages: ReturnType<typeof asks>) =>
    thrown(of.chat.completions.create({ model: id, messages }));
  const pdf = Buffer.from('%PDF-1.7').toString('base64');
  expect(await create(client, model, asks(image(pdf)))).toMatchObject({
    status: 422,
    code: 'image_unreadable',
    param: 'messages',
  });
  expect(await create(client, model, asks(image('A*')))).toMatchObject({ status: 400, code: 'invalid_value' });
  const builtIn = await newPerson(bench.running.url, { organisation: `Without ${newId('organisation')}` });
  const theirs = await bench.newClient(builtIn);
  const [only] = (await theirs.models.list()).data;
  expect(await create(theirs, only!.id, asks(image()))).toMatchObject({ status: 422, code: 'images_not_accepted' });
  expect(bench.mock.requests).toEqual([]);
});
