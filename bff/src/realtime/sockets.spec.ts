import { describe, expect, test } from '@jest/globals';
import type { OrgId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { rooms } from './sockets.ts';
import {
  aMember,
  anAnswer,
  asked,
  aTab,
  connect,
  grant,
  granted,
  orgId,
  outcomeOf,
  revoked,
  sockets,
  tellRevoked,
  trials,
  wordsOf,
} from './sockets.spec-setup.ts';

const about = (name: string) => ({ orgId, resources: [name] }) as never;

describe('a connection', () => {
  test('needs a session, an organisation of that person, and our own pages', async () => {
    const { session } = aMember();
    expect(await outcomeOf(connect({ session }))).toBe('connected');
    expect(await outcomeOf(connect({}))).toBe('401');
    expect(await outcomeOf(connect({ session: 'y'.repeat(43) }))).toBe('401');
    expect(sockets.openCount).toBe(1);
    expect(await outcomeOf(connect({ session, of: newId('organisation') }))).toBe('org.organisation-not-found');
    expect(await outcomeOf(connect({ session, of: 'none' as OrgId }))).toBe('platform.organisation-missing');
    expect(await outcomeOf(connect({ session, headers: { origin: 'https://evil.example' } }))).toBe('403');
  });

  test('ends when its person is revoked, and no other', async () => {
    const [gone, other] = [await aTab(), await aTab()];
    revoked.add(gone.person.userId);
    tellRevoked();
    await eventually(() => !gone.socket.connected, 'the socket is cut');
    expect(gone.heard).toEqual([{ reason: 'signed-out' }]);
    sockets.io.to(rooms.person(other.person.userId)).emit('resource.changed', about('organisations'));
    await eventually(() => other.heard.length === 1, 'the other one hears what comes later');
    expect(other.socket.connected).toBe(true);
  });
});

describe('opening a conversation', () => {
  test('asks chat for the person, then tells what is there and goes on', async () => {
    const tab = await aTab();
    const { conversationId, ids, say } = anAnswer();
    grant(tab, conversationId);
    expect(await tab.open(conversationId)).toEqual({ ok: true, sequence: 5, generationId: ids.generationId });
    expect(asked).toEqual([`${tab.person.userId} ${conversationId}`]);
    say(2, 'two');
    await eventually(() => wordsOf(tab) === 'One two', 'both words arrive');
  });

  test('of somebody else is refused, and nothing of it is heard, also when its answer is named', async () => {
    const [owner, colleague] = [await aTab(), await aTab()];
    const { conversationId, ids, say } = anAnswer();
    grant(owner, conversationId);
    await owner.open(conversationId);
    for (const stream of [undefined, { generationId: ids.generationId, epoch: 1, seq: 0 }])
      expect(await colleague.open(conversationId, stream)).toMatchObject({
        ok: false,
        problem: { code: 'chat.conversation-not-found' },
      });
    say(2, 'two');
    await eventually(() => wordsOf(owner) === 'One two', 'the owner hears it');
    expect(colleague.frames).toEqual([]);
  });

  test("opens no other's stream by its answer's name", async () => {
    const tab = await aTab();
    const [mine, theirs] = [anAnswer(), anAnswer()];
    grant(tab, mine.conversationId);
    await tab.open(mine.conversationId);
    await tab.open(mine.conversationId, { generationId: theirs.ids.generationId, epoch: 1, seq: 0 });
    theirs.say(2, 'secret');
    mine.say(2, 'two');
    await eventually(() => wordsOf(tab).endsWith('two'), 'a later word arrives');
    expect(wordsOf(tab)).not.toContain('secret');
  });

  test('again, with the answer named, asks nobody and gives what is new', async () => {
    const tab = await aTab();
    const { conversationId, ids, say } = anAnswer();
    grant(tab, conversationId);
    await tab.open(conversationId);
    say(2, 'two');
    await eventually(() => tab.frames.length === 2, 'two words are there');
    await tab.open(conversationId, { generationId: ids.generationId, epoch: 1, seq: 1 });
    expect(asked).toHaveLength(1);
    expect(wordsOf(tab)).toBe('One two two');
  });

  test('hears an answer from its first word, before anybody has told of it', async () => {
    const [tab, elsewhere] = [await aTab(), await aTab()];
    const { conversationId } = anAnswer();
    grant(tab, conversationId);
    await tab.open(conversationId);
    const next = anAnswer(conversationId);
    await eventually(
      () => tab.frames.some(([id, , , , delta]) => id === next.ids.generationId && delta === 'One'),
      'the first word arrives',
    );
    expect(asked).toHaveLength(1);
    expect(elsewhere.frames).toEqual([]);
  });

  test('that was closed is asked for anew', async () => {
    const [tab, other] = [await aTab(), await aTab()];
    const { conversationId, ids, say } = anAnswer();
    for (const each of [tab, other]) {
      grant(each, conversationId);
      await each.open(conversationId);
    }
    tab.socket.emit('conversation.close', { conversationId });
    granted.clear();
    expect(await tab.open(conversationId, { generationId: ids.generationId, epoch: 1, seq: 1 })).toMatchObject({
      ok: false,
    });
    say(2, 'two');
    await eventually(() => wordsOf(other) === 'One two', 'another tab hears it');
    // Frames arrive before the answer to a later request.
    await tab.open('nothing');
    expect(wordsOf(tab)).toBe('One');
  });

  test('goes on for twenty of them, and what is no request is refused', async () => {
    const tab = await aTab();
    for (let count = 1; count <= 21; count += 1) {
      const id = newId('conversation');
      grant(tab, id);
      expect(await tab.open(id)).toMatchObject(
        count <= 20 ? { ok: true } : { problem: { code: 'platform.rate-limited' } },
      );
    }
    expect(await tab.open('nothing')).toMatchObject({ problem: { code: 'platform.invalid-request' } });
  });
});

test("a trial's answer is heard by whoever asked it, under its own conversation only, until it has ended", async () => {
  const [asker, colleague] = [await aTab(), await aTab()];
  const { conversationId, ids, say } = anAnswer();
  const trialId = newId('trial');
  trials.set(trialId, { conversationId, generationId: ids.generationId, status: 'running' });
  grant(asker, trialId);
  const open = (tab: typeof asker, of = conversationId) => tab.open(of, undefined, { trialId });
  expect(await open(asker)).toEqual({ ok: true, sequence: null, generationId: ids.generationId });
  expect(await open(colleague)).toMatchObject({ ok: false });
  const theirs = anAnswer();
  expect(await open(asker, theirs.conversationId)).toMatchObject({ problem: { code: 'chat.conversation-not-found' } });
  theirs.say(2, 'secret');
  say(2, 'two');
  await eventually(() => wordsOf(asker) === 'One two', 'both words arrive');
  expect(colleague.frames).toEqual([]);
  asker.socket.emit('conversation.close', { conversationId });
  trials.set(trialId, { conversationId, generationId: ids.generationId, status: 'done' });
  expect(await open(asker)).toEqual({ ok: true, sequence: null, generationId: null });
});

test('rooms: what needs a right is heard by who has it, what is of a person by that person', async () => {
  const [reader, other] = [await aTab(['data_connection:read']), await aTab()];
  sockets.io.to(rooms.permitted(orgId, 'data_connection:read')).emit('resource.changed', about('documents'));
  sockets.io.to(rooms.organisation(orgId)).emit('resource.changed', about('models'));
  sockets.io.to(rooms.person(other.person.userId)).emit('resource.changed', about('organisations'));
  sockets.io.to(rooms.personInOrganisation(orgId, other.person.userId)).emit('resource.changed', about('messages'));
  for (const elsewhere of [
    rooms.organisation(newId('organisation')),
    rooms.personInOrganisation(newId('organisation'), other.person.userId),
  ])
    sockets.io.to(elsewhere).emit('resource.changed', about('providers'));
  await eventually(() => reader.heard.length + other.heard.length === 5, 'all is heard');
  expect(reader.heard).toEqual([about('documents'), about('models')]);
  expect(other.heard).toEqual([about('models'), about('organisations'), about('messages')]);
});

test('what happens each second is heard by who watches, until they stop, and only with the right to', async () => {
  const [watcher, other] = [await aTab(['monitoring:read_org']), await aTab(['member:read'])];
  const watching = () => sockets.io.of('/').adapter.rooms.get(rooms.watching(orgId))?.size ?? 0;
  for (const { socket } of [watcher, other]) socket.emit('monitoring.watch', true);
  await eventually(() => watching() === 1, 'one of them watches');
  // Messages of one socket are handled in order.
  await other.open('nothing');
  expect(watching()).toBe(1);
  watcher.socket.emit('monitoring.watch', { is: 'no request' });
  await eventually(() => watching() === 0, 'nobody watches');
});
