import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Viewer } from '../../conversations/index.ts';
import { treeBench } from '../../testing/tree-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { mostPageBytes } from './bounded-page.ts';

const bench = await treeBench();
const { listing } = bench;
beforeAll(bench.ready);

type Changes = Awaited<ReturnType<typeof listing.list>>;
const changes = (viewer: Viewer, conversationId: ConversationId, query: object): Promise<Changes> =>
  listing.list({ ...viewer, params: { conversationId }, query } as never);

/** Creates a chat of this many questions with their answers; `text` sets the length of their texts. */
async function aChat(questions: number, text = (at: number) => `question ${at}`) {
  const viewer = aViewer();
  const conversationId = newId('conversation');
  const ids: MessageId[] = [];
  let parentId: MessageId | undefined;
  for (let at = 0; at < questions; at += 1) {
    const asked = await bench.ask(viewer, { conversationId, text: text(at), ...(parentId && { parentId }) });
    await bench.end(viewer, asked);
    ids.push(asked.message.id, asked.answer.id);
    parentId = asked.answer.id;
  }
  return { viewer, conversationId, ids, last: ids.at(-1)! };
}
/** Returns all pages of changes after a sequence, as a client reads them. */
async function pagesOf(viewer: Viewer, conversationId: ConversationId, query: { limit: number; leaf: MessageId }) {
  const pages: Changes[] = [];
  for (let after = 0; ;) {
    const page = await changes(viewer, conversationId, { ...query, after });
    pages.push(page);
    if (!page.hasNewer) return pages;
    expect(page.sequence).toBeGreaterThan(after);
    after = page.sequence;
  }
}
const idsIn = (pages: readonly Changes[]) =>
  pages.flatMap(({ items, elsewhere }) => [...items, ...elsewhere].map(({ id }) => id));

describe('the changes of a path that exceed a page', () => {
  test('returns changes page by page without a gap, as each page ends at the sequence of its last message', async () => {
    const { viewer, conversationId, ids, last } = await aChat(5);
    const pages = await pagesOf(viewer, conversationId, { limit: 3, leaf: last });
    expect(pages.length).toBeGreaterThan(3);
    expect(idsIn(pages)).toEqual(ids);
    const { sequence } = (await bench.conversations.find(viewer.scope, conversationId))!;
    expect([pages.at(-1)!.sequence, pages.at(-1)!.hasNewer]).toEqual([sequence, undefined]);
    const [first] = pages;
    expect(first).toMatchObject({ hasNewer: true, sequence: first!.items.at(-1)!.sequence });
  });

  test('includes messages on other paths, also at the end', async () => {
    const { viewer, conversationId, ids, last } = await aChat(2);
    const edited = await bench.ask(viewer, { conversationId, text: 'edited', parentId: null } as never);
    await bench.end(viewer, edited);
    const pages = await pagesOf(viewer, conversationId, { limit: 2, leaf: last });
    expect(idsIn(pages)).toEqual([...ids, edited.message.id, edited.answer.id]);
    expect(pages.flatMap(({ elsewhere }) => elsewhere.map(({ id }) => id))).toEqual([
      edited.message.id,
      edited.answer.id,
    ]);
  });

  test('returns changes without a gap when a page is full because of its size', async () => {
    const long = 'x'.repeat(mostPageBytes / 2);
    const { viewer, conversationId, ids, last } = await aChat(3, () => long.slice(0, 31_000));
    const pages = await pagesOf(viewer, conversationId, { limit: 4, leaf: last });
    expect(idsIn(pages)).toEqual(ids);
  });
});
