import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { GenerationFrame, Message } from '@parley/contracts';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleAnswer, sampleIds, sampleModel, sampleQuestion, samplePath } from '../../../testing/samples.ts';
import {
  applyFrames,
  applyMessages,
  applyNewestPage,
  emptyConversation,
  needsReopen,
  visibleText,
  visibleThoughts,
  type ConversationStreamState,
} from '../../../domain/conversation/conversation-stream-state.ts';
import { ConversationsPage } from '../conversations-page.tsx';
import { PendingSendsProvider } from '../state/pending-sends-context.tsx';

function show(answer: Message) {
  installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 3, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId/path': () => ({
      ...samplePath([sampleQuestion, answer]),
      title: 'VPN',
    }),
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
}
beforeEach(() => localStorage.clear());

describe('a model’s reasoning', () => {
  const thoughts = { text: 'Is it the <b>certificate</b>?\n- maybe', ms: 12_300 };

  it('folds the reasoning above the answer, with its duration, and opens it by its name', async () => {
    show(sampleAnswer({ thoughts }));
    const summary = await screen.findByText('Thought for 12 s');
    const folded = summary.closest('details')!;
    expect(folded.open).toBe(false);
    await userEvent.click(summary);
    expect(folded.open).toBe(true);
    // Shown as plain text: markup stays visible.
    expect(folded.querySelector('div')?.textContent).toBe(thoughts.text);
    expect(folded.compareDocumentPosition(screen.getByText('The certificate.'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('doesn’t copy the reasoning with the answer', async () => {
    const user = userEvent.setup();
    show(sampleAnswer({ thoughts }));
    await user.click(await screen.findByRole('button', { name: 'Copy answer' }));
    expect(await navigator.clipboard.readText()).toBe('The certificate.');
  });

  it('shows no reasoning if there is none', async () => {
    show(sampleAnswer());
    await screen.findByText('The certificate.');
    expect(document.querySelector('details')).toBeNull();
  });
});

it('says which model failed, and why, above an answer of the fallback', async () => {
  const model = { ...sampleAnswer().generation!.model, label: 'gemini' };
  show(sampleAnswer({ model, fellBackFrom: { label: 'claude', failure: 'provider-overloaded' } }));
  const said = await screen.findByText((_text, element) =>
    /^claude has too much to do: .* answers instead\.$/.test(
      element?.tagName === 'SPAN' ? (element.textContent ?? '') : '',
    ),
  );
  expect(said).toBeInTheDocument();
});

describe('reasoning in the frames of an answer', () => {
  const frame = (
    seq: number,
    thoughts: [number, string] | null,
    [delta, epoch]: readonly [string, number] = ['', 1],
  ): GenerationFrame => {
    const piece = [sampleIds.generation, epoch, seq, 0, delta] as const;
    return thoughts ? [...piece, null, thoughts] : piece;
  };
  const answer = sampleAnswer({ status: 'running', epoch: 0, finishedAt: null, usage: null }, { text: '' });
  const begun = applyNewestPage(emptyConversation(sampleIds.conversation), {
    ...samplePath([sampleQuestion, answer]),
    title: 'VPN',
  });
  const shown = (state: ConversationStreamState) => [visibleThoughts(state, answer), visibleText(state, answer).text];

  it('shows the reasoning before the words, and keeps it beside them', () => {
    const thinking = applyFrames(begun, [frame(1, null), frame(2, [0, 'Hm']), frame(3, [2, '. So'])]);
    expect(shown(thinking)).toEqual(['Hm. So', '']);
    expect(shown(applyFrames(thinking, [frame(4, null, ['Three.', 1])]))).toEqual(['Hm. So', 'Three.']);
  });

  it('completes reasoning with a gap from a frame that has all of it', () => {
    const gap = applyFrames(begun, [frame(1, [0, 'Hm']), frame(3, [9, 'behind'])]);
    expect([needsReopen(gap), shown(gap)]).toEqual([true, ['Hm', '']]);
    const healed = applyFrames(gap, [frame(3, [0, 'Hm. So. behind'])]);
    expect([needsReopen(healed), shown(healed)]).toEqual([false, ['Hm. So. behind', '']]);
  });

  it('removes the reasoning of a failed attempt, and shows the stored reasoning at the end', () => {
    const next = applyFrames(begun, [frame(1, [0, 'Of the first']), frame(1, null, ['Three.', 2])]);
    expect(shown(next)).toEqual(['', 'Three.']);
    const stored = sampleAnswer({ epoch: 2, thoughts: { text: 'All of it', ms: 5 } }, { sequence: 3 });
    expect(visibleThoughts(applyMessages(next, [stored]), stored)).toBe('All of it');
  });
});
