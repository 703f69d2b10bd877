import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { describeOn, eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { Infrastructure } from '@parley/testing/distributed';
import { setTimeout as wait } from 'node:timers/promises';
import { defineKafkaOutage } from './kafka-outage.ts';
import { OutageScene, password } from './outage-scene.ts';
import { report } from './report.ts';
import { defineSlowStore } from './slow-store.ts';
import { gaugeOf, startServers } from './two-of-each.ts';

const outlivingLeaseMs = 16_000;
/** A test waits up to this long for what takes some seconds on an idle machine, and prints what it took. */
const patienceMs = 60_000;
const answered = /^\S.{20}/;

describeOn('outages on two of each process', await startServers(), defineOutages);

function defineOutages(servers: Infrastructure): void {
  const scene = new OutageScene(servers);
  beforeAll(() => scene.start(), 300_000);
  afterEach(async () => {
    await scene.store.on();
    expect(scene.running.casualties).toEqual([]);
  });
  afterAll(() => scene.close());

  describe('a slow store', () => defineSlowStore(scene));

  test('a BFF is killed while a tab streams from it: the tab comes back on the other one and holds the whole text', async () => {
    const conversationId = await scene.askSlowly();
    const [victim, other] = scene.running.of('bff');
    const tab = await scene.openTab(victim, scene.ines, conversationId);
    await eventually(() => expect(tab.answer.text).toBe('one '), 'the first word should come');
    const killedAt = Date.now();
    await scene.running.killAndReplace(victim!);
    scene.model.say('two ');
    await eventually(() => expect(tab.answer.text).toBe('one two '), 'the next word should come');
    report('BFF killed: next word on the other', [Date.now() - killedAt]);
    expect(await gaugeOf(other!, 'parley_socket_open')).toBe(1);
    scene.model.say('three four.');
    scene.model.end();
    await eventually(
      () => expect([tab.answer.text, tab.answer.end]).toEqual(['one two three four.', 'done']),
      'the answer should end',
    );
    expect((await scene.ines.messages(conversationId)).items[1]?.text).toBe(tab.answer.text);
    tab.close();
    await scene.allReady();
  });

  test('a chat-api is killed: who asks right after it has the first word, in tabs that were open', async () => {
    const conversationId = await scene.askSlowly();
    scene.model.end();
    const tabs = await Promise.all(
      scene.running.of('bff').map((bff) => scene.openTab(bff, scene.ines, conversationId)),
    );
    for (const victim of scene.running.of('chat-api')) {
      const replace = await scene.running.kill(victim);
      const firstWords = await scene.askInOpenTabs(conversationId, tabs);
      report('chat-api killed: first word', firstWords);
      scene.model.end();
      await replace();
      await scene.allReady();
    }
    for (const tab of tabs) tab.close();
  });

  test('a BFF is killed: its people become away by themselves, those of the other one stay', async () => {
    const [victim, other] = scene.running.of('bff');
    const noor = await scene.join(scene.ines, 'Noor');
    const stays = await scene.openTab(other, scene.ines, newId('conversation'));
    const lost = await scene.openTab(victim, noor, newId('conversation'));
    const states = async () => {
      const { items } = await scene.ines.call('GET /api/monitoring/active-users');
      return items.map(({ name, presence }) => `${name} ${presence}`).toSorted();
    };
    await eventually(async () => expect(await states()).toEqual(['Ines online', 'Noor online']), 'both should be here');
    // A tab would come back on the other one.
    lost.socket.io.reconnection(false);
    const killedAt = Date.now();
    await scene.running.killAndReplace(victim!);
    await eventually(
      async () => expect(await states()).toEqual(['Ines online', 'Noor away']),
      'the people of the killed one should be away',
      patienceMs,
    );
    report('BFF killed: its people away', [Date.now() - killedAt]);
    stays.close();
    lost.close();
    await scene.allReady();
  });

  test.each([
    ['is away', () => scene.store.off()],
    ['takes connections and says nothing', () => scene.store.hang()],
  ])(
    'the store %s: who needs it is unready and alive, everybody gets a clear problem, and all go on when it is back',
    async (state, happens) => {
      const tab = await scene.openTab(scene.running.of('bff')[1], scene.omar, newId('conversation'));
      happens();
      const goneAt = Date.now();
      const firstAnswers = scene.askAll();
      const owners = scene.running.all
        .filter(({ name }) => name !== 'bff')
        .map(({ name, copy }) => `${name} ${copy + 1}`);
      await eventually(
        async () => expect((await scene.running.unready()).toSorted()).toEqual(owners.toSorted()),
        'all with a store should be unready',
        patienceMs,
      );
      report(`the store ${state}: unready`, [Date.now() - goneAt]);
      for (const [when, answers] of [
        ['at once', await firstAnswers],
        ['later', await scene.askAll()],
      ] as const) {
        report(
          `the store ${state}: answers ${when}`,
          answers.map(({ ms }) => ms),
        );
        expect(answers.map(({ status, code }) => [status, code])).toEqual(
          answers.map(() => [503, 'platform.unavailable']),
        );
      }
      expect(await scene.probeAll('/health/live')).toEqual(scene.running.all.map(() => 200));
      await scene.store.on();
      const backAt = Date.now();
      await scene.allReady();
      report('store back: all ready', [Date.now() - backAt]);
      expect(await scene.askAndRead(scene.omar)).toMatch(answered);
      await eventually(() => tab.socket.connected, 'the tab should be live again');
      tab.close();
    },
  );

  test('the store is away for longer than a lease: answers go on with the workers that write them, also one whose end comes meanwhile', async () => {
    const conversations = [await scene.askSlowly(), await scene.askSlowly()] as const;
    const generations = () =>
      Promise.all(
        conversations
          .map(async (id) => (await scene.ines.messages(id)).items[1]?.generation)
          .map(async (each) => [(await each)?.status, (await each)?.epoch]),
      );
    const [goesOn, ends] = await Promise.all(
      conversations.map((id) => scene.openTab(scene.running.of('bff')[0], scene.ines, id)),
    );
    await eventually(
      () => expect([goesOn?.answer.text, ends?.answer.text]).toEqual(['one ', 'one ']),
      'the first words should come',
    );
    scene.store.off();
    scene.model.say('and all.');
    scene.model.end();
    await eventually(() => scene.model.asked === 1, 'one should have ended');
    scene.model.say('two ');
    await wait(outlivingLeaseMs);
    await scene.store.on();
    const backAt = Date.now();
    await eventually(async () => expect((await generations())[1]).toEqual(['done', 1]), 'the end should be stored');
    report('store back: the end that waited is stored', [Date.now() - backAt]);
    // Long enough for another worker to take the answer over.
    await wait(8_000);
    scene.model.say('three.');
    scene.model.end();
    await eventually(
      () => expect([goesOn?.answer.text, goesOn?.answer.end]).toEqual(['one two three.', 'done']),
      'the answer should end',
    );
    expect(await generations()).toEqual([
      ['done', 1],
      ['done', 1],
    ]);
    for (const tab of [goesOn, ends]) tab?.close();
  });

  test('a worker stands still for longer than its lease: the other one writes the answer anew, and what the first one has in hand counts nowhere', async () => {
    const conversationId = await scene.askSlowly();
    const tab = await scene.openTab(scene.running.of('bff')[0], scene.ines, conversationId);
    await eventually(() => expect(tab.answer.text).toBe('one '), 'the first word should come');
    const writing = await Promise.all(
      scene.running.of('chat-worker').map((worker) => gaugeOf(worker, 'parley_generation_active')),
    );
    const first = scene.running.of('chat-worker')[writing.indexOf(1)]!;
    first.signal('SIGSTOP');
    const stoodStillAt = Date.now();
    try {
      await eventually(() => scene.model.asked === 2, 'another worker should ask the model', patienceMs);
      scene.model.say('uno dos.');
      await eventually(() => expect(tab.answer.text).toBe('uno dos.'), 'its words should replace those of the first');
      report('a worker stands still: first word of the other one', [Date.now() - stoodStillAt]);
      scene.model.end();
      await eventually(() => expect(tab.answer.end).toBe('done'), 'the answer should end');
      scene.model.say('two three.');
      scene.model.end();
    } finally {
      first.signal('SIGCONT');
    }
    await eventually(
      async () => expect(await gaugeOf(first, 'parley_generation_active')).toBe(0),
      'the first one should give up',
      patienceMs,
    );
    // Long enough for it to try to store its end.
    await wait(3_000);
    expect([tab.answer.text, tab.answer.end]).toEqual(['uno dos.', 'done']);
    expect((await scene.ines.messages(conversationId)).items[1]).toMatchObject({
      text: 'uno dos.',
      generation: { status: 'done', epoch: 2 },
    });
    tab.close();
    await scene.allReady();
  });

  test.each([
    ['is away', () => servers.redis.kill(), () => servers.redis.restart()],
    [
      'takes connections and says nothing',
      () => process.kill(servers.redis.pid, 'SIGSTOP'),
      () => process.kill(servers.redis.pid, 'SIGCONT'),
    ],
  ])(
    'Redis %s: all stay ready, people sign in, answers are stored; when it is back, the frames go on',
    async (state, happens, ends) => {
      const conversationId = await scene.askSlowly();
      const tab = await scene.openTab(scene.running.of('bff')[0], scene.ines, conversationId);
      await eventually(() => expect(tab.answer.text).toBe('one '), 'the first word should come');
      await happens();
      scene.model.say('two ');
      const device = new ParleyClient(scene.running.url);
      const signedOutAt = Date.now();
      expect(await device.signIn('omar@example.com', password)).toMatchObject({ name: 'Omar' });
      const askedAt = Date.now();
      expect(await scene.askAndRead(scene.omar)).toMatch(answered);
      report(`Redis ${state}: signed in; question answered and stored`, [askedAt - signedOutAt, Date.now() - askedAt]);
      expect(await scene.probeAll('/health/ready')).toEqual(scene.running.all.map(() => 200));
      await ends();
      const backAt = Date.now();
      scene.model.say('three ');
      await eventually(() => expect(tab.answer.text).toBe('one two three '), 'the frames should go on');
      report('Redis back: next word', [Date.now() - backAt]);
      scene.model.say('four.');
      scene.model.end();
      await eventually(
        () => expect([tab.answer.text, tab.answer.end]).toEqual(['one two three four.', 'done']),
        'the answer should end',
      );
      expect((await scene.ines.messages(conversationId)).items[1]).toMatchObject({
        text: tab.answer.text,
        generation: { status: 'done', epoch: 1 },
      });
      tab.close();
    },
  );

  test('auth stands still in the middle of an answer: words wait until somebody can tell who lost access, and the socket stays open', async () => {
    const conversationId = await scene.askSlowly();
    const tab = await scene.openTab(scene.running.of('bff')[0], scene.ines, conversationId);
    await eventually(() => expect(tab.answer.text).toBe('one '), 'the first word should come');
    let cuts = 0;
    let isHeld = false;
    tab.socket.on('disconnect', () => (cuts += 1));
    tab.socket.on('live.held', (held) => (isHeld = held));
    const untilHeld = (wanted: boolean) =>
      eventually(() => isHeld === wanted, `the tab should be told that ${wanted ? 'nothing comes' : 'words go on'}`);
    const signalAuth = (signal: NodeJS.Signals): void =>
      scene.running.of('auth').forEach((each) => each.signal(signal));
    signalAuth('SIGSTOP');
    try {
      await untilHeld(true);
      scene.model.say('two ');
      await wait(1_500);
      expect([tab.answer.text, cuts]).toEqual(['one ', 0]);
      signalAuth('SIGCONT');
      const backAt = Date.now();
      await eventually(() => expect(tab.answer.text).toBe('one two '), 'what was held back should come');
      report('auth goes on: next word', [Date.now() - backAt]);
      expect(cuts).toBe(0);
      await untilHeld(false);
      signalAuth('SIGSTOP');
      await untilHeld(true);
      scene.model.say('three four.');
      scene.model.end();
      // Once all sockets were cut by now.
      await wait(7_000);
      expect([tab.answer.text, cuts]).toEqual(['one two ', 0]);
    } finally {
      signalAuth('SIGCONT');
    }
    await eventually(
      () => expect([tab.answer.text, tab.answer.end]).toEqual(['one two three four.', 'done']),
      'the tab should hold the whole text',
    );
    expect(cuts).toBe(0);
    tab.close();
    await scene.allReady();
  });

  defineKafkaOutage(scene, servers.kafka);
}
