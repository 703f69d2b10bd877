import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { describeOn, eventually, startStoreSwitch, type StoreSwitch } from '@parley/testing';
import { ParleyClient, ReadingTab } from '@parley/testing/client';
import type { Infrastructure, Running } from '@parley/testing/distributed';
import { setTimeout as wait } from 'node:timers/promises';
import { ask, endSession, revokedWithinMs, statusOf } from './callers.ts';
import { startSlowModel, type SlowModel } from './slow-model.ts';
import { gaugeOf, startServers, TwoOfEach } from './two-of-each.ts';

const password = 'three quiet herons';
const outlivingLeaseMs = 16_000;
const takenOverWithinMs = 15_000;
const triesForADoor = 20;
const answered = /^\S.{20}/;

describeOn('outages on two of each process', await startServers(), defineOutages);

function defineOutages(servers: Infrastructure): void {
  let running: TwoOfEach;
  let store: StoreSwitch;
  let model: SlowModel;
  /** Asks the slow model, which a test lets speak. */
  let ines: ParleyClient;
  /** Asks the built-in assistant. */
  let omar: ParleyClient;
  const tabs: ReadingTab[] = [];

  beforeAll(async () => {
    model = await startSlowModel();
    store = await startStoreSwitch(servers.mongoUrl);
    running = await TwoOfEach.start({ ...servers, mongoUrl: store.uri }, { PARLEY_OUTBOUND_ALLOW: model.address });
    ines = await newOwner('Ines');
    omar = await newOwner('Omar');
    await ines.call('POST', '/api/chat/providers', { id: newId('provider'), name: 'Slow', baseUrl: model.url, models: ['slow-1'], defaultModel: 'slow-1', isDefault: true });
  }, 180_000);
  afterEach(async () => {
    await store.on();
    expect(running.casualties).toEqual([]);
  });
  afterAll(async () => {
    for (const tab of tabs) tab.close();
    await running?.close();
    await store?.close();
    model?.close();
  });

  async function newOwner(name: string): Promise<ParleyClient> {
    const person = new ParleyClient(running.url);
    await person.register({ name, email: `${name.toLowerCase()}@example.com`, password });
    await person.createOrganisation(name);
    return person;
  }

  /** A tab whose socket hangs on that BFF: the balancer decides, so it takes some tries. */
  async function openTab(bff: Running | undefined, person: ParleyClient, conversationId: ConversationId): Promise<ReadingTab> {
    for (let tries = 1; tries <= triesForADoor; tries += 1) {
      const before = await gaugeOf(bff!, 'parley_socket_open');
      const tab = new ReadingTab(person, conversationId);
      tabs.push(tab);
      await tab.connected();
      if ((await gaugeOf(bff!, 'parley_socket_open')) > before) return tab;
      tab.close();
    }
    throw new Error(`No socket came to BFF ${bff!.copy + 1}.`);
  }

  /** A question to the slow model, which has said its first word. */
  async function askSlowly(): Promise<ConversationId> {
    const others = model.asked;
    const conversationId = newId('conversation');
    await ines.send(conversationId, 'Count to four');
    await eventually(() => model.asked > others, 'the model should be asked');
    model.say('one ');
    return conversationId;
  }

  /** Asks until the server says yes, with the same ids each time, as the page does; resolves with the answer's text. */
  async function askAndRead(person: ParleyClient): Promise<string> {
    const conversationId = newId('conversation');
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    await eventually(() => person.send(conversationId, 'What can you do?', ids), 'a question should be taken');
    return eventually(async () => {
      const answer = (await person.messages(conversationId)).items[1];
      expect(answer?.generation?.status).toBe('done');
      return answer?.text ?? '';
    }, 'the answer should end');
  }

  const probeAll = (path: string) => Promise.all(running.all.map(async (each) => (await each.probe(path)).status));
  const allReady = () => eventually(async () => expect(await running.unready()).toEqual([]), 'all should be ready', 60_000);

  test('a BFF is killed while a tab streams from it: the tab comes back on the other one and holds the whole text', async () => {
    const conversationId = await askSlowly();
    const [victim, other] = running.of('bff');
    const tab = await openTab(victim, ines, conversationId);
    await eventually(() => expect(tab.answer.text).toBe('one '), 'the first word should come');
    const killedAt = Date.now();
    await running.killAndReplace(victim!);
    model.say('two ');
    await eventually(() => expect(tab.answer.text).toBe('one two '), 'the next word should come');
    report('BFF killed: next word on the other', [Date.now() - killedAt]);
    expect(await gaugeOf(other!, 'parley_socket_open')).toBe(1);
    model.say('three four.');
    model.end();
    await eventually(() => expect([tab.answer.text, tab.answer.end]).toEqual(['one two three four.', 'done']), 'the answer should end');
    expect((await ines.messages(conversationId)).items[1]?.text).toBe(tab.answer.text);
    tab.close();
    await allReady();
  });

  test.each([
    ['is away', () => store.off(), 1_500],
    ['takes connections and says nothing', () => store.hang(), 8_000],
  ])('the store %s: who needs it is unready and alive, everybody gets a clear problem soon, and all go on when it is back', async (state, happens, knownAfterMs) => {
    const tab = await openTab(running.of('bff')[1], omar, newId('conversation'));
    happens();
    const goneAt = Date.now();
    const owners = running.all.filter(({ name }) => name !== 'bff').map(({ name, copy }) => `${name} ${copy + 1}`);
    await eventually(async () => expect((await running.unready()).toSorted()).toEqual(owners.toSorted()), 'all with a store should be unready', 5_000);
    report(`the store ${state}: unready`, [Date.now() - goneAt]);
    // Longer than a passing break, which requests wait out.
    await wait(knownAfterMs);
    const answers = await Promise.all([
      ask(omar, 'GET', '/api/auth/me'), ask(omar, 'GET', '/api/chat/conversations'), ask(omar, 'GET', '/api/org/organisations'),
      ask(omar, 'POST', `/api/chat/conversations/${newId('conversation')}/messages`, { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation'), text: 'Hello' }),
      ask(new ParleyClient(running.url), 'POST', '/api/auth/sessions', { email: 'omar@example.com', password }), ask(new ParleyClient(running.url), 'GET', '/api/auth/registration'),
    ]);
    report(`the store ${state}: answers`, answers.map(({ ms }) => ms));
    expect(answers.map(({ status, code }) => [status, code])).toEqual(answers.map(() => [503, 'platform.unavailable']));
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(3_000);
    expect(await probeAll('/health/live')).toEqual(running.all.map(() => 200));
    await store.on();
    const backAt = Date.now();
    await allReady();
    report('store back: all ready', [Date.now() - backAt]);
    expect(await askAndRead(omar)).toMatch(answered);
    await eventually(() => tab.socket.connected, 'the tab should be live again');
    tab.close();
  });

  test('the store is away for longer than a lease: answers go on with the workers that write them, also one whose end comes meanwhile', async () => {
    const conversations = [await askSlowly(), await askSlowly()] as const;
    const generations = () => Promise.all(conversations.map(async (id) => (await ines.messages(id)).items[1]?.generation).map(async (each) => [(await each)?.status, (await each)?.epoch]));
    const [goesOn, ends] = await Promise.all(conversations.map((id) => openTab(running.of('bff')[0], ines, id)));
    await eventually(() => expect([goesOn?.answer.text, ends?.answer.text]).toEqual(['one ', 'one ']), 'the first words should come');
    store.off();
    model.say('and all.');
    model.end();
    await eventually(() => model.asked === 1, 'one should have ended');
    model.say('two ');
    await wait(outlivingLeaseMs);
    await store.on();
    const backAt = Date.now();
    await eventually(async () => expect((await generations())[1]).toEqual(['done', 1]), 'the end should be stored');
    report('store back: the end that waited is stored', [Date.now() - backAt]);
    // Long enough for another worker to take the answer over.
    await wait(8_000);
    model.say('three.');
    model.end();
    await eventually(() => expect([goesOn?.answer.text, goesOn?.answer.end]).toEqual(['one two three.', 'done']), 'the answer should end');
    expect(await generations()).toEqual([['done', 1], ['done', 1]]);
    for (const tab of [goesOn, ends]) tab?.close();
  });

  test('a worker stands still for longer than its lease: the other one writes the answer anew, and what the first one has in hand counts nowhere', async () => {
    const conversationId = await askSlowly();
    const tab = await openTab(running.of('bff')[0], ines, conversationId);
    await eventually(() => expect(tab.answer.text).toBe('one '), 'the first word should come');
    const writing = await Promise.all(running.of('chat-worker').map((worker) => gaugeOf(worker, 'parley_generation_active')));
    const first = running.of('chat-worker')[writing.indexOf(1)]!;
    first.signal('SIGSTOP');
    const stoodStillAt = Date.now();
    try {
      await eventually(() => model.asked === 2, 'another worker should ask the model', takenOverWithinMs);
      model.say('uno dos.');
      await eventually(() => expect(tab.answer.text).toBe('uno dos.'), 'its words should replace those of the first');
      report('a worker stands still: first word of the other one', [Date.now() - stoodStillAt]);
      model.end();
      await eventually(() => expect(tab.answer.end).toBe('done'), 'the answer should end');
      model.say('two three.');
      model.end();
    } finally {
      first.signal('SIGCONT');
    }
    // Long enough for it to read on, to find its lease lost, and to try to store its end.
    await wait(3_000);
    expect([tab.answer.text, tab.answer.end]).toEqual(['uno dos.', 'done']);
    expect((await ines.messages(conversationId)).items[1]).toMatchObject({ text: 'uno dos.', generation: { status: 'done', epoch: 2 } });
    expect(await gaugeOf(first, 'parley_generation_active')).toBe(0);
    tab.close();
    await allReady();
  });

  test.each([
    ['is away', () => servers.redis.kill(), () => servers.redis.restart()],
    ['takes connections and says nothing', () => process.kill(servers.redis.pid, 'SIGSTOP'), () => process.kill(servers.redis.pid, 'SIGCONT')],
  ])('Redis %s: all stay ready, people sign in, answers are stored; when it is back, the frames go on', async (state, happens, ends) => {
    const conversationId = await askSlowly();
    const tab = await openTab(running.of('bff')[0], ines, conversationId);
    await eventually(() => expect(tab.answer.text).toBe('one '), 'the first word should come');
    await happens();
    model.say('two ');
    const device = new ParleyClient(running.url);
    const signedOutAt = Date.now();
    expect(await device.signIn('omar@example.com', password)).toMatchObject({ name: 'Omar' });
    const askedAt = Date.now();
    expect(await askAndRead(omar)).toMatch(answered);
    report(`Redis ${state}: signed in; question answered and stored`, [askedAt - signedOutAt, Date.now() - askedAt]);
    expect(await probeAll('/health/ready')).toEqual(running.all.map(() => 200));
    await ends();
    const backAt = Date.now();
    model.say('three ');
    await eventually(() => expect(tab.answer.text).toBe('one two three '), 'the frames should go on');
    report('Redis back: next word', [Date.now() - backAt]);
    model.say('four.');
    model.end();
    await eventually(() => expect([tab.answer.text, tab.answer.end]).toEqual(['one two three four.', 'done']), 'the answer should end');
    expect((await ines.messages(conversationId)).items[1]).toMatchObject({ text: tab.answer.text, generation: { status: 'done', epoch: 1 } });
    tab.close();
  });

  test('auth stands still in the middle of an answer: words wait until somebody can tell who lost access; sockets are cut only when that takes long', async () => {
    const conversationId = await askSlowly();
    const tab = await openTab(running.of('bff')[0], ines, conversationId);
    await eventually(() => expect(tab.answer.text).toBe('one '), 'the first word should come');
    let cuts = 0;
    tab.socket.on('disconnect', () => (cuts += 1));
    const signalAuth = (signal: NodeJS.Signals): void => running.of('auth').forEach((each) => each.signal(signal));
    signalAuth('SIGSTOP');
    try {
      await wait(1_500);
      model.say('two ');
      await wait(1_500);
      expect([tab.answer.text, cuts]).toEqual(['one ', 0]);
      signalAuth('SIGCONT');
      const backAt = Date.now();
      await eventually(() => expect(tab.answer.text).toBe('one two '), 'what was held back should come');
      report('auth goes on: next word', [Date.now() - backAt]);
      expect(cuts).toBe(0);
      signalAuth('SIGSTOP');
      await eventually(() => expect(cuts).toBe(1), 'the socket should be cut in the end', 15_000);
      model.say('three four.');
      model.end();
    } finally {
      signalAuth('SIGCONT');
    }
    await eventually(() => expect([tab.answer.text, tab.answer.end]).toEqual(['one two three four.', 'done']), 'the tab should come back and hold the whole text');
    tab.close();
    await allReady();
  });

  describe('while Kafka is away', () => {
    const told: ReadingTab[] = [];
    let conversationId: ConversationId;
    beforeAll(() => servers.kafka.kill());

    test('a session that is ended loses its other tab and its requests within a second, on whichever BFF', async () => {
      const ends: Awaited<ReturnType<typeof endSession>>[] = [];
      for (let round = 0; round < 6; round += 1) {
        const device = new ParleyClient(running.url);
        await device.signIn('omar@example.com', password);
        device.orgId = omar.orgId;
        ends.push(await endSession(device, await openTab(running.of('bff')[round % 2], device, newId('conversation'))));
      }
      report('Kafka away: socket of an ended session cut', ends.map(({ socketMs }) => socketMs));
      report('Kafka away: last request that still passed', ends.map(({ lastPassedMs }) => lastPassedMs));
      expect(Math.max(...ends.flatMap(({ socketMs, lastPassedMs }) => [socketMs, lastPassedMs]))).toBeLessThanOrEqual(revokedWithinMs);
      expect(new Set(ends.flatMap(({ refusals }) => refusals))).toEqual(new Set([401]));
      expect(await statusOf(omar)).toBe(200);
    });

    test('a question is answered, live for the tabs of both BFFs', async () => {
      conversationId = await askSlowly();
      for (const bff of running.of('bff')) told.push(await openTab(bff, ines, conversationId));
      for (const [words, whole] of [['two ', 'one two '], ['three ', 'one two three ']] as const) {
        model.say(words);
        await eventually(() => expect(told.map(({ answer }) => answer.text)).toEqual([whole, whole]), 'both should read along', 2_000);
      }
      model.end();
      await eventually(() => expect(told.map(({ answer }) => answer.end)).toEqual(['done', 'done']), 'both should see the end');
      expect((await ines.messages(conversationId)).items[1]).toMatchObject({ text: 'one two three ', generation: { status: 'done' } });
      expect(await running.gauge('chat-api', 'parley_outbox_pending')).toBeGreaterThan(0);
    });

    test('back again: everybody hears of it, and nothing waits to be published', async () => {
      await servers.kafka.restart();
      const backAt = Date.now();
      await eventually(() => expect(told.map(({ changes }) => changes.some(({ kind, generation }) => kind === 'generation' && generation?.status === 'done'))).toEqual([true, true]), 'both should hear', 60_000);
      report('Kafka back: everybody heard', [Date.now() - backAt]);
      for (const name of ['auth', 'org', 'chat-api'] as const) await eventually(async () => expect(await running.gauge(name, 'parley_outbox_pending')).toBe(0), `${name} should have published all`, 60_000);
    });
  });
}

const report = (what: string, ms: readonly number[]): void => void process.stdout.write(`${what}: ${ms.join(', ')} ms\n`);
