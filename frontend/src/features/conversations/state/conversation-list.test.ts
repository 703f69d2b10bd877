import { expect, it } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { sampleConversation, sampleIds } from '../../../testing/samples.ts';
import { conversationListKey, knownConversation, placeConversation } from './conversation-list.ts';

it('doesn’t mark a hidden list as up to date that must be read again', async () => {
  const client = new QueryClient();
  const [shown, archived] = [{}, { only: 'archived' }].map((filters) => [
    ...conversationListKey(sampleIds.org),
    filters,
  ]);
  for (const key of [shown, archived])
    client.setQueryData(key!, { pages: [{ items: [sampleConversation], nextCursor: null }], pageParams: [null] });
  await client.invalidateQueries({ queryKey: archived });
  placeConversation(client, sampleIds.org, { ...sampleConversation, title: 'Relay wiring', version: 9 });
  expect(client.getQueryState(archived!)?.isInvalidated).toBe(true);
  expect(knownConversation(client, sampleIds.org, sampleConversation.id)?.title).toBe('Relay wiring');
});
