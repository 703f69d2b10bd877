import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventDefinitions } from '@parley/contracts';
import { newPerson, plantMember } from '@parley/embedded/test-parley';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { Scene } from '../matrix/scene.spec-setup.ts';
import type { Act } from './act.spec-setup.ts';
import { acts } from './acts.spec-setup.ts';
import { untoldToGuests } from './opened.spec-setup.ts';
import { screenReads } from './screen-reads.spec-setup.ts';
import { EventLog } from './settled.spec-setup.ts';
import { Tab } from './tab.spec-setup.ts';

const reads = screenReads();
const rules = new Map(
  eventDefinitions.flatMap(({ type, live }) =>
    live === null || live === 'conversation' ? [] : [[type, live.resources] as const],
  ),
);

/** Old screen + what the message names = a fresh read: for every rule, on the screens of three people. */
describe('what a rule names', () => {
  let scene: Scene;
  let log: EventLog;
  /** The second tab of the person who acts, and those of two others, who may do less. */
  let tabs: { readonly owners: Tab; readonly members: Tab; readonly guests: Tab };
  let member: ParleyClient;

  beforeAll(async () => {
    scene = await Scene.start();
    log = await EventLog.of(scene.running.parley);
    member = await newPerson(scene.running.url);
    await plantMember(scene.running.parley, member, scene.world.owner, 'member');
    tabs = {
      owners: await Tab.open({ scene, person: scene.world.owner, reads }),
      members: await Tab.open({ scene, person: member, reads }),
      guests: await Tab.open({ scene, person: scene.people.guest, reads, left: untoldToGuests }),
    };
  }, 90_000);
  afterAll(async () => {
    for (const tab of Object.values(tabs)) tab.close();
    await log.close();
    await scene.close();
  });

  /** Keeps everyone online, however long earlier acts took. The chat doesn't exist, so nothing changes. */
  const stayActive = () =>
    Promise.all(
      Object.values(tabs).map(({ client }) =>
        client.request('PUT', `/api/chat/conversations/${newId('conversation')}/read`, {
          contentType: 'application/json',
          body: '{"sequence":1}',
        }),
      ),
    );

  /** Someone who reconnects appears as online a little later. Repeats the action: the first one can be refused. */
  const presenceSettles = () =>
    eventually(async () => {
      // An owner who is shut out reads nothing, and no tab shows who is here.
      if (!tabs.owners.socket.connected) return;
      await stayActive();
      const { items } = await scene.world.owner.call('GET /api/monitoring/active-users');
      const connected = Object.values(tabs).filter(({ socket }) => socket.connected);
      const here = items.filter(({ userId }) => connected.some(({ client }) => client.me!.id === userId));
      expect(here.filter(({ presence }) => presence !== 'online')).toEqual([]);
      expect(here.map(({ userId }) => userId)).toContain(scene.world.owner.me!.id);
    }, 'who is connected should be online');

  /** Those on a silent model end by themselves after a minute, which would be in the middle of a later act. */
  const stopAnswers = () =>
    eventually(async () => {
      if (!tabs.owners.socket.connected) return;
      const { items } = await scene.world.owner.call('GET /api/monitoring/running-answers');
      for (const { generationId } of items)
        await scene.world.owner.call('POST /api/chat/running-answers/:generationId/stop', { params: { generationId } });
      expect(items).toEqual([]);
    }, 'what earlier acts have asked should be stopped');

  /** A chatbot's tests run in the background, and would end in the middle of a later act. */
  const testsEnd = () =>
    eventually(async () => {
      if (!tabs.owners.socket.connected) return;
      const { owner } = scene.world;
      for (const { id } of (await owner.call('GET /api/chat/chatbot-drafts')).items) {
        const params = { chatbotId: id };
        const { items } = await owner.call('GET /api/chat/chatbot-drafts/:chatbotId/test-runs', { params });
        expect(items.filter(({ status }) => status === 'running')).toEqual([]);
      }
    }, 'the runs of tests should end');

  const cases = Object.entries(acts).flatMap(([type, some]) => some.map((act: Act) => [type, act.does, act] as const));
  test.each(cases)('%s: %s', async (type, _does, act) => {
    await stopAnswers();
    await testsEnd();
    const deed = await act.prepare(scene, member);
    await log.settled();
    await presenceSettles();
    await Promise.all(Object.values(tabs).map((tab) => tab.readAll()));
    const heads = await log.heads();
    await deed();
    await eventually(async () => expect(await log.typesSince(heads)).toContain(type), `${type} should be published`);
    await (type === 'membership.added.v1' ? tabs.guests : tabs.owners).hears(rules.get(type) ?? []);
    await eventually(async () => {
      await log.settled();
      const stale: Record<string, string[]> = {};
      for (const [whose, tab] of Object.entries(tabs)) stale[whose] = await tab.stale();
      expect(stale).toEqual({ owners: [], members: [], guests: [] });
    }, 'what the message leaves alone should be as it was');
  });
});
