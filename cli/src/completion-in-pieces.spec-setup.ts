import { expect } from '@jest/globals';
import { completionChunk } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { messagesOf, type ParleyClient } from '@parley/testing/client';

/** Asks the default chatbot as a program does, and reads its answer in pieces and whole: both say the same. */
export async function readInPieces(person: ParleyClient): Promise<void> {
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const key = { id: newId('apiKey'), name: 'Program', permissions: ['chat:create' as const], endsAt };
  const { secret } = await person.call('POST /api/auth/my-api-keys', { body: key });
  const { items } = await person.call('GET /api/chat/chatbots');
  const ask = (stream: boolean) =>
    fetch(`${person.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: items[0]!.id, stream, messages: [{ role: 'user', content: 'What can you do?' }] }),
    });
  const told: string[] = [];
  for await (const { data } of messagesOf(await ask(true))) told.push(data);
  expect(told.pop()).toBe('[DONE]');
  const words = told.map((data) => completionChunk.parse(JSON.parse(data)).choices[0]?.delta.content ?? '');
  expect(words.filter((word) => word !== '').length).toBeGreaterThan(1);
  expect(await (await ask(false)).json()).toMatchObject({ choices: [{ message: { content: words.join('') } }] });
}
