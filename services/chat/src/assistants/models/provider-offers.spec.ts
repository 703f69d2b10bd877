import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testStore } from '@parley/testing';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reloads } from '../../reloads.ts';
import { chatConfig, chatSettings } from '../../chat.config.ts';
import { Outbound } from './outbound.ts';
import { ProviderOffers } from './provider-offers.ts';
import { ProvidersRepository } from './providers.repository.ts';

const { mongo, clock, ready } = await testStore();
const listed = ['nomic-embed-text:latest', 'qwen3:8b', 'bge-m3:latest', 'llama3.2:3b'];
const server = createServer((_request, response) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: listed.map((id) => ({ id })) })),
);
beforeAll(async () => {
  await ready();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

test('offers what chats of the models of a server on this machine, so that no other one becomes the default', async () => {
  const { port } = server.address() as AddressInfo;
  const nobodyThere = 9;
  const modelServerPorts = { ollama: port, 'lm-studio': nobodyThere, vllm: nobodyThere, 'llama-cpp': nobodyThere };
  const settings = chatSettings(chatConfig.parse({}), { modelServerPorts });
  const offers = new ProviderOffers(
    settings,
    new Outbound(new ProvidersRepository(mongo), settings, clock, {} as Reloads),
  );
  expect((await offers.list()).map(({ source, models }) => [source, models])).toEqual([
    ['ollama', ['qwen3:8b', 'llama3.2:3b']],
  ]);
});
