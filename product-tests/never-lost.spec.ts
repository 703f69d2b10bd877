import { describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  lastEvents,
  newPerson,
  password,
  startMockProvider,
  startTestParley,
  token,
} from '@parley/embedded/test-parley';

const temporary = () => mkdtempSync(join(tmpdir(), 'parley-lost-'));

describe('a restart in mid-answer', () => {
  test('the message is there, the answer starts again under a new epoch, and both attempts are billed once', async () => {
    const folder = temporary();
    let isSecond = false;
    const mock = await startMockProvider((_request, response) => {
      response.setHeader('content-type', 'text/event-stream');
      response.write(token('First words '));
      if (isSecond) response.end(`${token('and the rest.')}${lastEvents(3, 5)}`);
    });
    const settings = { PARLEY_OUTBOUND_ALLOW: mock.address };
    const first = await startTestParley(settings, { folder });
    const owner = await newPerson(first.url, { organisation: 'Restart' });
    await owner.call('POST /api/chat/providers', {
      body: { id: newId('provider'), name: 'M', baseUrl: mock.url, models: ['m'], defaultModel: 'm', isDefault: true },
    });
    const conversationId = newId('conversation');
    const { answer } = await owner.send(conversationId, 'Tell me');
    await eventually(
      async () => expect((await owner.messages(conversationId)).items[1]?.text).toBe('First words '),
      'the checkpoint should hold the first words',
    );
    await first.close();

    isSecond = true;
    const second = await startTestParley(settings, { folder });
    const again = new ParleyClient(second.url);
    await again.signIn(owner.me?.email ?? '', password);
    again.orgId = owner.orgId;
    const finished = await eventually(async () => {
      const { items } = await again.messages(conversationId);
      expect([
        items[1]?.generation?.status,
        items[1]?.generation?.failure,
        items[1]?.generation?.failureDetail,
      ]).toEqual(['done', null, null]);
      return items;
    }, 'the answer should be finished');
    expect(finished.map(({ role, text }) => [role, text])).toEqual([
      ['person', 'Tell me'],
      ['assistant', 'First words and the rest.'],
    ]);
    expect(finished[1]?.generation?.resumedAt).not.toBeNull();
    await eventually(async () => {
      const { items } = await again.call('GET /api/billing/ledger-entries', {
        query: { generationId: answer.generation?.id },
      });
      expect(
        items.map(({ attempt, outcome }) => `${attempt} ${outcome}`).toSorted((one, other) => one.localeCompare(other)),
      ).toEqual(['1 interrupted', '2 done']);
    }, 'each attempt should have one ledger entry');
    await second.close();
    mock.close();
    rmSync(folder, { recursive: true });
  }, 90_000);
});
