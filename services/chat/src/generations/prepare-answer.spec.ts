import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import type { Viewer } from '../conversations/index.ts';
import { newDocument } from '../documents/document.ts';
import { aViewer } from '../viewer.spec-setup.ts';
import { generationsBench } from './generations-bench.spec-setup.ts';

const bench = await generationsBench();
const { prepare, retrieval, documentRows, work, clock } = bench;
beforeAll(bench.ready);

/** A document with one passage, which may be answered from. */
async function aDocument({ scope, principal }: Viewer, text: string): Promise<void> {
  const { orgId } = scope;
  const file = { id: newId('document'), orgId, name: 'Handbook', mediaType: 'text/plain', bytes: 9 } as const;
  const row = { ...newDocument(file, principal.name, clock.now()), status: 'searchable' as const };
  await work.run(principal, (tx) => documentRows.create(scope, row, tx));
  await retrieval.replace(scope, { id: file.id, name: file.name }, [{ heading: null, text }]);
}
const turnsOf = ({ turns }: { turns: readonly { role: string; text: string }[] }) =>
  turns.map(({ role, text }) => `${role}: ${text}`);

describe('what an answer needs', () => {
  test('is the conversation up to its question, with the newest version of each answer', async () => {
    const viewer = aViewer();
    const first = await bench.ask(viewer, { text: 'One?' });
    const { id: conversationId } = first.conversation;
    await bench.end(viewer, first);
    const wish = { conversationId, parentId: first.message.id };
    const ids = { answerId: newId('message'), generationId: newId('generation') };
    const { answer } = await bench.answering.answer(viewer, { ...wish, ...ids });
    const again = (await bench.generations.findMany(viewer.scope, [answer.generation!.id]))[0]!;
    expect(turnsOf(await prepare.prepare(again))).toEqual(['person: One?']);
    await bench.end(viewer, { ...first, answer }, 'Newer.');
    const second = await bench.ask(viewer, { conversationId, text: 'Two?' });
    const prepared = await prepare.prepare(await bench.find(viewer, second));
    expect(turnsOf(prepared)).toEqual(['person: One?', 'assistant: Newer.', 'person: Two?']);
  });

  test("has the passages of the own organisation's documents that fit, numbered as they are cited", async () => {
    const [mine, theirs] = [aViewer(), aViewer()];
    await aDocument(mine, 'Herons are grey.');
    await aDocument(theirs, 'Herons are secret.');
    const prepared = await prepare.prepare(await bench.find(mine, await bench.ask(mine, { text: 'herons' })));
    expect(prepared.passages).toMatchObject([{ number: 1, documentName: 'Handbook', text: 'Herons are grey.' }]);
    expect(prepared.citations.map(({ number }) => number)).toEqual([1]);
    expect(prepared.documentCount).toBe(1);
  });
});
