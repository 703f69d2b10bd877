// A member of the watched organisation who moves their chats as fast as they can.
import type { ConversationId, ProjectId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { WatchedClient } from './watched-client.ts';
import { many, tally, type Case } from './world.ts';

const chatCount = 100;
const mostCalls = 100;
const connections = 8;
const movesWithinMs = 90_000;

async function aProject(person: WatchedClient, name: string): Promise<ProjectId> {
  const id = newId('project');
  await person.call('POST /api/chat/projects', { body: { id, name } });
  return id;
}

async function listed(person: WatchedClient, project: ProjectId | 'none'): Promise<ConversationId[]> {
  const found: ConversationId[] = [];
  let cursor: string | undefined;
  do {
    const query = { project, limit: 100, ...(cursor && { cursor }) };
    const { items, nextCursor } = await person.call('GET /api/chat/conversations', { query });
    found.push(...items.map(({ id }) => id));
    cursor = nextCursor ?? undefined;
  } while (cursor);
  return found;
}

const movedInLoop: Case = {
  name: 'projects: 10,000 moves of chats in a loop, by a member of the other organisation',
  async run({ insider }) {
    const ids = Array.from({ length: chatCount }, () => newId('conversation'));
    await many(chatCount, 4, (at) => insider.send(ids[at]!, 'Where do herons sleep?', { model: 'builtin' as never }));
    const [first, second] = [await aProject(insider, 'Herons'), await aProject(insider, 'Storks')];
    const statuses: number[] = [];
    const until = performance.now() + movesWithinMs;
    await many(mostCalls, connections, async (at) => {
      if (performance.now() > until) return;
      const body = JSON.stringify({ conversationIds: ids, projectId: at % 2 === 0 ? first : second });
      const contentType = 'application/json';
      statuses.push(await insider.statusOf('PUT', '/api/chat/conversation-projects', { body, contentType }));
    });
    const words = tally(statuses, [200, 429]);
    const [inFirst, inSecond] = [await listed(insider, first), await listed(insider, second)];
    const there = [...inFirst, ...inSecond].filter((id) => ids.includes(id));
    if (there.length !== chatCount || new Set(there).size !== chatCount)
      throw new Error(`${there.length} chats are in the projects, ${new Set(there).size} of them different ones.`);
    return `${words} of 100 chats each; afterwards ${inFirst.length} and ${inSecond.length} chats`;
  },
};

export const projectCases: readonly Case[] = [movedInLoop];
