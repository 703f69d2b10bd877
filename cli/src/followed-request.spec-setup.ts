import { expect } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import type { Running } from '@parley/testing/distributed';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };

/** A question under a trace of the caller's: it stands in the lines of each process and under an error. */
export async function followRequest(person: ParleyClient, processes: readonly Running[]): Promise<void> {
  const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
  const conversationId = newId('conversation');
  const ask = () =>
    person.raw('POST', `/api/chat/conversations/${conversationId}/messages`, {
      headers,
      body: JSON.stringify({ ...ids, text: 'What can you do?' }),
      contentType: 'application/json',
    });
  expect((await ask()).status).toBe(202);
  const linesOf = (name: string): string =>
    processes
      .filter((each) => each.name === name)
      .flatMap(({ log }) => log().split('\n'))
      .filter((line) => line.includes(`"traceId":"${traceId}"`))
      .join('\n');
  await eventually(() => {
    for (const name of ['bff', 'chat-api']) expect(linesOf(name)).toContain('"msg":"request"');
    expect(linesOf('chat-worker')).toContain('an answer is taken on');
  }, 'each hop should have written it down');
  expect(linesOf('chat-api')).not.toContain('"repeat"');
  expect((await ask()).status).toBe(202);
  await eventually(
    () => expect(linesOf('chat-api')).toMatch(/"repeat":true.*"msg":"request"/),
    'the line of a question that was asked again should say so',
  );
  const refused = await person.raw('GET', `/api/chat/conversations/${newId('conversation')}/messages`, { headers });
  expect(await refused.json()).toMatchObject({ code: 'chat.conversation-not-found', traceId });
  const other = await person.raw('GET', '/api/auth/nothing', { headers: { traceparent: 'no trace at all' } });
  expect(await other.json()).toMatchObject({ traceId: expect.not.stringMatching(/^0+$/) });
}
