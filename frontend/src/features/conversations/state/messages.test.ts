import { expect, it } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { sampleIds } from '../../../testing/samples.ts';
import { inTurn } from './messages.ts';

const chat = { conversationId: sampleIds.conversation };

it('runs moves in a chat one by one, also after a failed one', async () => {
  const first = Promise.withResolvers<void>();
  const begun: number[] = [];
  const move = (n: number, end: Promise<void>) =>
    inTurn(chat, async () => {
      begun.push(n);
      await end;
    });
  const failing = move(1, first.promise);
  const next = move(2, Promise.resolve());
  await waitFor(() => expect(begun).toEqual([1]));
  first.reject(new Error('lost'));
  await expect(failing).rejects.toThrow('lost');
  await next;
  expect(begun).toEqual([1, 2]);
});
