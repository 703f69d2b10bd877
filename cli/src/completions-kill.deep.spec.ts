import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { messagesOf, ParleyClient } from '@parley/testing/client';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { startHaltingModel } from './halting-model.spec-setup.ts';
import { ownProcesses } from './own-process.spec-setup.ts';

const ines = { name: 'Ines', email: 'ines@lindmoor.example', password: 'three quiet herons' };
const { start } = ownProcesses();
let model: Awaited<ReturnType<typeof startHaltingModel>>;
let asked = 0;
/** Of the first process no answer comes to its end. */
let halts = true;
beforeAll(async () => {
  model = await startHaltingModel((count) => ((asked = count), halts));
});
afterAll(() => model.close());

test('killed while programs read their answers: these are not written again, each is billed once, and the next is whole', async () => {
  const settings = { PARLEY_OUTBOUND_ALLOW: model.address };
  const first = await start(settings);
  const owner = new ParleyClient(first.url);
  await owner.register({ ...ines, setupToken: first.setupToken });
  const { id: orgId } = await owner.createOrganisation('Lindmoor Energy');
  const provider = { name: 'Halting', baseUrl: `http://${model.address}/v1`, models: ['m'], defaultModel: 'm' };
  await owner.call('POST /api/chat/providers', { body: { id: newId('provider'), ...provider, isDefault: true } });
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const key = { id: newId('apiKey'), name: 'Board', permissions: ['chat:create' as const], endsAt };
  const { secret } = await owner.call('POST /api/auth/my-api-keys', { body: key });
  const { items } = await owner.call('GET /api/chat/chatbots');
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const ask = (url: string, stream: boolean) => {
    const body = JSON.stringify({ model: items[0]!.id, stream, messages: [{ role: 'user', content: 'How many?' }] });
    return fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
  };

  const whole = ask(first.url, false).then(
    () => 'answered',
    () => 'cut',
  );
  let said = '';
  const reading = (async () => {
    for await (const { data } of messagesOf(await ask(first.url, true))) said += data;
    return 'ended';
  })().catch(() => 'cut');
  await eventually(() => expect(said).toContain('one '), 'the first word should be told');
  await eventually(() => expect(asked).toBe(2), 'both should be asked for');
  // Checkpoints come once a second and can't be seen from outside: this is ten times as long.
  await delay(10_000);
  const gone = once(first.child, 'exit');
  first.child.kill('SIGKILL');
  await gone;
  expect([await whole, await reading]).toEqual(['cut', 'cut']);
  expect(said).not.toContain('[DONE]');

  halts = false;
  const again = await start(settings);
  const after = new ParleyClient(again.url);
  await after.signIn(ines.email, ines.password);
  after.orgId = orgId;
  await eventually(async () => {
    const entries = await after.ledgerEntries();
    expect(entries.map(({ outcome, attempt }) => [outcome, attempt])).toEqual([
      ['interrupted', 1],
      ['interrupted', 1],
    ]);
    for (const { outputTokens } of entries) expect(outputTokens).toBeGreaterThan(0);
  }, 'both should be billed');
  expect(asked).toBe(2);
  const next = (await (await ask(again.url, false)).json()) as { choices: { message: { content: string } }[] };
  expect(next.choices[0]?.message.content).toBe('one two three');
  await eventually(async () => expect(await after.ledgerEntries()).toHaveLength(3), 'the third should be billed');
}, 120_000);
