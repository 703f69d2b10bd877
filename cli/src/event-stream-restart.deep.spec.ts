import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { messagesOf, ParleyClient } from '@parley/testing/client';
import { HTTP, type CloudEvent } from 'cloudevents';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ownProcesses } from './own-process.spec-setup.ts';

const [email, password] = ['ines@lindmoor.example', 'three quiet herons'];
const perRound = 20;
const { start } = ownProcesses();

/** As a program outside does it: the official SDK reads what comes, and a cut reader comes back with its cursor. */
function follower(secret: string) {
  const events: CloudEvent<unknown>[] = [];
  const stop = new AbortController();
  let cursor = '';
  let url = '';
  const read = async () => {
    const headers = { authorization: `Bearer ${secret}`, ...(cursor !== '' && { 'last-event-id': cursor }) };
    const response = await fetch(`${url}/v1/events`, { headers, signal: stop.signal });
    if (!response.ok) return void (await response.text());
    for await (const { id, data } of messagesOf(response)) {
      if (data !== '') {
        const headersOfEvent = { 'content-type': 'application/cloudevents+json' };
        const event = HTTP.toEvent({ headers: headersOfEvent, body: data }) as CloudEvent<unknown>;
        event.validate();
        events.push(event);
      }
      if (id !== '') cursor = id;
    }
  };
  const reading = (async () => {
    for (; !stop.signal.aborted; await delay(50)) await read().catch(() => undefined);
  })();
  return {
    events,
    isReading: () => cursor !== '',
    at: (address: string) => void (url = address),
    end: async () => {
      stop.abort();
      await reading;
    },
  };
}

test('an official CloudEvents SDK follows the stream through kill -9 and a restart: nothing lost, nothing double', async () => {
  let { child, url, setupToken } = await start({});
  let owner = new ParleyClient(url);
  await owner.register({ name: 'Ines', email, password, setupToken });
  const { id: orgId } = await owner.createOrganisation('Lindmoor Energy');
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const key = { id: newId('apiKey'), name: 'Board', permissions: ['events:read' as const], endsAt };
  const { secret } = await owner.call('POST /api/auth/my-api-keys', { body: key });
  const program = follower(secret ?? '');
  program.at(url);
  await eventually(() => expect(program.isReading()).toBe(true), 'the program should have its first cursor');

  const made: string[] = [];
  const makeSome = async () => {
    for (let count = 0; count < perRound; count += 1) {
      const id = newId('group');
      await owner.call('POST /api/org/groups', { body: { id, name: `Shift ${made.length}` } });
      made.push(id);
    }
  };
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    await makeSome();
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
    ({ child, url } = await start({}));
    program.at(url);
    owner = new ParleyClient(url);
    await owner.signIn(email, password);
    owner.orgId = orgId;
  }
  await makeSome();

  const seen = () =>
    program.events
      .filter(({ type }) => type === 'group.changed.v1')
      .map(({ data }) => (data as { groupId: string }).groupId);
  await eventually(() => expect(seen().length).toBeGreaterThanOrEqual(made.length), 'all should have been told');
  await program.end();
  expect(seen()).toEqual(made);
  const places = program.events.map((event) => event['sequence'] as number);
  expect(places).toEqual(places.map((_place, index) => (places[0] ?? 0) + index));
  expect(new Set(program.events.map(({ id }) => id)).size).toBe(program.events.length);
}, 180_000);
