import { isTitleRequest, refuseTitle } from '@parley/testing/model-streams';
import { expect } from '@jest/globals';
import { eventually, openTestStore, openTestStoreOnce } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { createLogger } from '@parley/platform/logging';
import type { Budget, Me, OrgRole } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import mongoose from 'mongoose';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from './data-folder.ts';
import { embeddedConfig } from './embedded-settings.ts';
import { startEmbedded, type EmbeddedOptions, type RunningParley } from './start-embedded.ts';

export const password = 'three quiet herons';
export type TestParley = {
  readonly parley: RunningParley;
  readonly folder: string;
  readonly url: string;
  close(): Promise<void>;
};

/** A whole Parley in this process, on a folder and ports of its own; every answer is checked against its contract. */
export async function startTestParley(
  settings: Record<string, string> = {},
  options: { folder?: string } & Partial<
    Pick<EmbeddedOptions, 'workers' | 'stallMs' | 'modelServerPorts' | 'logger'>
  > = {},
): Promise<TestParley> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'parley-test-'));
  const dataFolder = await openDataFolder(folder);
  const parley = await startEmbedded({
    folder: dataFolder,
    logger: options.logger ?? createLogger({ name: 'test', level: process.env['PARLEY_TEST_LOG'] ?? 'fatal' }),
    failpoint: async () => {},
    checkResponses: true,
    // A folder of its own goes when this Parley ends.
    openStore: () => (options.folder ? openTestStore : openTestStoreOnce)(dataFolder.store, 5_000),
    workers: options.workers,
    stallMs: options.stallMs,
    modelServerPorts: options.modelServerPorts,
    config: embeddedConfig.parse({
      PARLEY_PORT: '0',
      PARLEY_REGISTRATION: 'open',
      PARLEY_REGISTRATIONS_PER_HOUR: '100000',
      // Specs ask in a minute what people ask in an hour; what is about the rates sets its own.
      PARLEY_RATE_LIMITS: '*.person=100000,*.organisation=100000',
      ...settings,
    }),
  });
  const close = async () => {
    await parley.close();
    if (!options.folder) rmSync(folder, { recursive: true, force: true });
  };
  return { parley, folder, url: parley.url, close };
}

let people = 0;
/** A new person; with an organisation name also its owner. */
export async function newPerson(
  url: string,
  options: { organisation?: string; setupToken?: string; address?: string } = {},
): Promise<ParleyClient> {
  const { organisation, setupToken, address } = options;
  people += 1;
  const client = new ParleyClient(url);
  client.address = address ?? null;
  await client.register({
    name: `Person ${people}`,
    email: `person${people}-${Date.now()}@example.com`,
    password,
    ...(setupToken && { setupToken }),
  });
  if (organisation !== undefined) await client.createOrganisation(organisation);
  return client;
}

/** Puts a person into an organisation; invitations will do it for people. */
export async function plantMember(
  parley: RunningParley,
  member: { readonly me: Pick<Me, 'id' | 'name' | 'email'> | null; orgId?: OrgId | null },
  owner: ParleyClient,
  role: OrgRole,
): Promise<void> {
  const connection = await mongoose.createConnection(parley.internals.storeUri('parley_org')).asPromise();
  const [orgId, userId] = [owner.orgId, member.me?.id];
  const name = member.me?.name ?? '';
  await connection
    .collection<{ _id: string }>('memberships')
    .insertOne({
      _id: `${orgId}/${userId}`,
      orgId,
      userId,
      role,
      groupIds: [],
      status: 'active',
      reason: null,
      source: 'invitation',
      joinedAt: new Date(),
      name,
      email: member.me?.email,
      personVersion: 1,
      sortName: name.toLowerCase(),
      nameWords: [],
      words: [],
      version: 1,
    } as never);
  const counts = { memberCount: 1, rightsVersion: 1, [`roleCounts.${role}`]: 1, ownerCount: role === 'owner' ? 1 : 0 };
  await connection.collection<{ _id: string }>('organisations').updateOne({ _id: orgId ?? '' }, { $inc: counts });
  await connection.close();
  member.orgId = orgId;
}

/** Chat asks billing only where a hard limit is, and hears of each by its event. */
export function untilChatKnows(
  parley: RunningParley,
  { orgId }: Pick<ParleyClient, 'orgId'>,
  { id, hardLimit }: Pick<Budget, 'id' | 'hardLimit'>,
): Promise<void> {
  return withDatabase(parley, 'parley_chat', (chat) =>
    eventually(async () => {
      const known = await chat.collection<{ _id: string }>('hard_limits').findOne({ _id: `${orgId}/${id}` });
      expect([id, known !== null]).toEqual([id, hardLimit !== null]);
    }, 'chat should know of the budget'),
  );
}

async function withDatabase<Result>(
  parley: RunningParley,
  database: string,
  act: (connection: mongoose.Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await mongoose.createConnection(parley.internals.storeUri(database)).asPromise();
  try {
    return await act(connection);
  } finally {
    await connection.close();
  }
}

export type MockProvider = {
  readonly url: string;
  readonly address: string;
  readonly requests: { path: string; headers: Record<string, unknown>; body: string }[];
  close(): void;
};

/** An OpenAI-compatible server whose answers a test scripts; without a script it streams the given words. */
export async function startMockProvider(
  script: (request: { path: string; body: string }, response: import('node:http').ServerResponse) => void,
  { writesTitles = false } = {},
): Promise<MockProvider> {
  const requests: MockProvider['requests'] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const path = request.url ?? '';
      if (!writesTitles && isTitleRequest(body)) return refuseTitle(response);
      requests.push({ path, headers: request.headers, body });
      if (path.endsWith('/models'))
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ data: [{ id: 'mock-1' }, { id: 'mock-2' }] }));
      else script({ path, body }, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://${address}/v1`, address, requests, close };
}

/** One server-sent event of a chat completion. */
export const token = (text: string): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: text } }] })}\n\n`;
export const lastEvents = (inputTokens: number, outputTokens: number): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: ${JSON.stringify({ choices: [], usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens } })}\n\ndata: [DONE]\n\n`;
