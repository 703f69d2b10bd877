import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { aViewer } from '../viewer.spec-setup.ts';
import { chatBench } from '../chat-bench.spec-setup.ts';

const bench = await chatBench();
const { prepare } = bench;
beforeAll(bench.ready);

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

  test('is nothing that was refused for its budget before, and what was asked in vain for another reason', async () => {
    const viewer = aViewer();
    const refused = await bench.ask(viewer, { text: 'Too dear?' });
    const { id: conversationId } = refused.conversation;
    const failed = { status: 'failed', text: '' } as const;
    await bench.end(viewer, refused, { ...failed, failure: 'budget-spent' });
    const cut = await bench.ask(viewer, { conversationId, text: 'Cut?' });
    await bench.end(viewer, cut, { ...failed, failure: 'provider-cut' });
    const asked = await bench.ask(viewer, { conversationId, text: 'Now?' });
    const prepared = await prepare.prepare(await bench.find(viewer, asked));
    expect(turnsOf(prepared)).toEqual(['person: Cut?', 'person: Now?']);
    // Asked again it is the question itself.
    expect(turnsOf(await prepare.prepare(await bench.find(viewer, refused)))).toEqual(['person: Too dear?']);
  });

  test("has the passages of the own organisation's documents that fit, numbered as they are cited", async () => {
    const [mine, theirs] = [aViewer(), aViewer()];
    await bench.addDocument(mine, 'Herons are grey.');
    await bench.addDocument(theirs, 'Herons are secret.');
    const prepared = await prepare.prepare(await bench.find(mine, await bench.ask(mine, { text: 'herons' })));
    expect(prepared.passages).toMatchObject([{ number: 1, documentName: 'Handbook', text: 'Herons are grey.' }]);
    expect(prepared.citations.map(({ number }) => number)).toEqual([1]);
    expect(prepared.documentCount).toBe(1);
  });
});
