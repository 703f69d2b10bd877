import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../../testing/fake-socket.ts';
import { sampleAnswer, sampleIds, sampleModel, samplePath, sampleQuestion } from '../../../testing/samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../../testing/render.tsx');
const { ConversationsPage } = await import('../conversations-page.tsx');
const { PendingSendsProvider } = await import('../state/pending-sends-context.tsx');

/** The resize observers of the page, by the observed element. */
let told: { element: Element; tell: () => void }[] = [];
const { ResizeObserver: before } = window;
let scrolledTo: jest.Spied<Element['scrollTo']>;
let broughtIntoView: jest.Spied<Element['scrollIntoView']>;

beforeEach(() => {
  localStorage.clear();
  socket.current = new FakeSocket();
  told = [];
  window.ResizeObserver = class {
    readonly #tell: ResizeObserverCallback;
    constructor(tell: ResizeObserverCallback) {
      this.#tell = tell;
    }
    observe(element: Element) {
      told.push({ element, tell: () => this.#tell([], this) });
    }
    unobserve() {}
    disconnect() {}
  };
  scrolledTo = jest.spyOn(Element.prototype, 'scrollTo');
  broughtIntoView = jest.spyOn(Element.prototype, 'scrollIntoView');
});
afterEach(() => {
  window.ResizeObserver = before;
  jest.restoreAllMocks();
});

async function show() {
  installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 0, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId/path': () => samplePath([sampleQuestion, sampleAnswer()]),
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  await screen.findByText('What changed?');
}

/** Makes the messages higher; returns true if the list then scrolls to its end. */
function grow(): boolean {
  scrolledTo.mockClear();
  const log = screen.getByRole('log', { name: 'Messages' });
  for (const { element, tell } of told) if (element === log) tell();
  return scrolledTo.mock.contexts.includes(log.parentElement!);
}

describe('editing a question', () => {
  it('doesn’t scroll the list while a question is edited, but follows its end before and after', async () => {
    await show();
    expect(grow()).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
    await screen.findByRole('textbox', { name: 'Your question' });
    expect(grow()).toBe(false);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(grow()).toBe(true);
  });

  it('scrolls the edit field into view with its buttons, also after it has grown', async () => {
    await show();
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
    const field = await screen.findByRole('textbox', { name: 'Your question' });
    expect(broughtIntoView.mock.contexts).toEqual([field.parentElement]);
    await userEvent.type(field, '!');
    expect(broughtIntoView.mock.contexts).toEqual([field.parentElement, field.parentElement]);
    expect(field.parentElement).toContainElement(screen.getByRole('button', { name: 'Send as new version' }));
  });
});
