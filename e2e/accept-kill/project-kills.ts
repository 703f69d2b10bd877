import { newId } from '@parley/platform/ids';
import type { ConversationId, ProjectId } from '@parley/contracts';
import { eventually } from '@parley/testing/eventually';
import { untilAccepted } from './calls.ts';
import type { KilledProduct } from './killed-product.ts';
import type { Point } from './kill-points.ts';

/** Equals the most that one call moves. */
const chatCount = 100;
/** The lease of the process that was killed ends first. */
const movedWithinMs = 180_000;
const moving = 'job:moves chats of projects';

/**
 * Kills right before and right after the commit of a call that moves 100 chats: none of them has moved, or all have. Kills in
 * the middle of the jobs that move, delete or restore the chats of a deleted project. Repeating the call or job moves the rest.
 */
export async function killWithProjects(run: KilledProduct): Promise<void> {
  const chats = new MovedChats(run, await someChats(run));
  const from = await aProject(run, 'Substation 14 refit');
  const to = await aProject(run, 'Storm season');
  await chats.move(from);
  for (const point of ['person|before|1', 'person|after|1'] as const) {
    await run.killIn(point, () => chats.move(to));
    const moved = point === 'person|after|1' ? chatCount : 0;
    run.same(`chats after ${point}`, [await chats.countIn(from), await chats.countIn(to)], [chatCount - moved, moved]);
  }
  await chats.move(to);
  run.same('chats after the call was repeated', [await chats.countIn(from), await chats.countIn(to)], [0, chatCount]);

  for (const how of ['keep', 'delete'] as const) {
    const remove = () =>
      run.client.call('DELETE /api/chat/projects/:projectId', { params: { projectId: to }, query: { chats: how } });
    await chats.killInJob(`${moving}|after|3`, remove);
    await untilAccepted(remove);
    await chats.untilIn('none', how === 'keep' ? chatCount : 0);
    const restore = () => run.client.call('POST /api/chat/projects/:projectId/restore', { params: { projectId: to } });
    await chats.killInJob(`${moving}|before|3`, restore);
    await untilAccepted(restore);
    await chats.untilIn(to, chatCount);
  }
}

async function someChats(run: KilledProduct): Promise<readonly ConversationId[]> {
  const ids = Array.from({ length: chatCount }, () => newId('conversation'));
  for (const id of ids) await run.client.send(id, 'What is said here?', { model: 'builtin' as never });
  for (const id of ids) await run.untilEnded(id);
  return ids;
}

async function aProject(run: KilledProduct, name: string): Promise<ProjectId> {
  const id = newId('project');
  await run.client.call('POST /api/chat/projects', { body: { id, name } });
  return id;
}

class MovedChats {
  constructor(
    private readonly run: KilledProduct,
    private readonly ids: readonly ConversationId[],
  ) {}

  move(projectId: ProjectId): Promise<unknown> {
    const body = { conversationIds: [...this.ids], projectId };
    return this.run.client.call('PUT /api/chat/conversation-projects', { body });
  }

  /** Counts those of the chats that are listed there. */
  async countIn(project: ProjectId | 'none'): Promise<number> {
    let count = 0;
    let cursor: string | undefined;
    do {
      const query = { project, limit: 100, ...(cursor && { cursor }) };
      const { items, nextCursor } = await this.run.client.call('GET /api/chat/conversations', { query });
      count += items.filter(({ id }) => this.ids.includes(id)).length;
      cursor = nextCursor ?? undefined;
    } while (cursor);
    return count;
  }

  async untilIn(project: ProjectId | 'none', wanted: number): Promise<void> {
    await eventually(
      async () => {
        const count = await this.countIn(project);
        if (count !== wanted) throw new Error(`${count} are in ${project}.`);
      },
      `${wanted} chats should be in ${project}`,
      movedWithinMs,
    );
  }

  /** The call may be answered before the job dies. */
  async killInJob(point: Point, act: () => Promise<unknown>): Promise<void> {
    this.run.arm(point);
    await act().catch(() => null);
    await this.run.untilKilled();
    await this.run.start();
  }
}
