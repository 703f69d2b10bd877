import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  acts,
  actors,
  losses,
  ProjectRights,
  type Actor,
  type ActName,
  type Loss,
} from './project-rights.spec-setup.ts';

const rights = new ProjectRights();
beforeAll(() => rights.prepare(), 180_000);
afterAll(() => rights.close());

const [noProject, gone] = ['chat.project-not-found', 'chat.project-deleted'];
const [noChat, noChatbot] = ['chat.conversation-not-found', 'chat.chatbot-not-found'];
const foreign = { 'project of somebody else': noProject, 'project of another organisation': noProject };
const foreignChat = { 'project of somebody else': noChat, 'project of another organisation': noChat };

/** Maps act and loss to the code that refuses a person with the permission; none means `done`. */
const refusals: Record<ActName, Partial<Record<Loss, string>>> = {
  // The copy of a chat whose project was deleted is in none.
  branch: foreignChat,
  // Answers are told nothing of a deleted project and search no connection that was lost.
  ask: { ...foreignChat, 'chatbot not offered': noChatbot },
  'new chat': { ...foreign, 'project deleted': gone, 'chatbot not offered': noChatbot },
  move: { ...foreign, 'project deleted': gone },
  'add file': { ...foreign, 'project deleted': gone },
  'set chatbot': { ...foreign, 'project deleted': gone, 'chatbot not offered': noChatbot },
  'set connection': { ...foreign, 'project deleted': gone, 'connection not shared': 'chat.connection-not-found' },
  restore: foreign,
};
/** Lists acts for which a role lacks the permission. */
const forbidden: Record<Actor, readonly ActName[]> = {
  owner: [],
  member: [],
  guest: ['branch', 'ask', 'new chat'],
  reader: Object.keys(acts) as ActName[],
  mover: ['branch', 'ask', 'new chat', 'restore'],
};
/** Returns the expected result if no other rule refuses the act. A mover gets `noChat`: it can't read the chat. */
const done = (actor: Actor, act: ActName) => (actor === 'mover' && act === 'move' ? noChat : 'done');

describe.each(actors)('in a project, the rights of %s', (actor) => {
  test.each(Object.keys(acts) as ActName[])('are asked when it happens: %s', async (act) => {
    const found: Partial<Record<Loss, string>> = {};
    for (const loss of losses) found[loss] = await rights.try(actor, act, loss);
    const isForbidden = forbidden[actor].includes(act);
    const expected = losses.map((loss) => [
      loss,
      isForbidden ? 'platform.forbidden' : (refusals[act][loss] ?? done(actor, act)),
    ]);
    expect(found).toEqual(Object.fromEntries(expected));
  });
});
