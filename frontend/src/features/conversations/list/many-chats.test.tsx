import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act as during, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import type { Conversation, ConversationId } from '@parley/contracts';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleConversation } from '../../../testing/samples.ts';
import { ConversationList } from './conversation-list.tsx';
import { PendingSendsProvider } from '../state/pending-sends-context.tsx';

const named = (title: string, digit: number, more: Partial<Conversation> = {}): Conversation => ({
  ...sampleConversation,
  id: `cnv_${String(digit).repeat(26)}` as ConversationId,
  title,
  lastActivityAt: `2026-01-0${9 - digit}T00:00:00.000Z`,
  ...more,
});
const chats = [named('VPN', 1), named('Meter', 2, { unread: true }), named('Leave', 3), named('Tender', 4)];
const [vpn, meter, leave] = chats as [Conversation, Conversation, Conversation];
const mark = 'PUT /api/chat/conversation-marks';
const one = 'api/chat/conversations/:conversationId';

function show(handlers: Handlers = {}, all = chats, at = '/en/chat') {
  const api = installFakeApi({
    'GET /api/chat/conversations': ({ query }) => ({
      items: all.filter(({ pinned }) => query.only !== 'pinned' || pinned),
      nextCursor: null,
    }),
    [mark]: ({ body }) => ({ results: body.conversationIds.map((conversationId) => ({ conversationId, code: null })) }),
    [`DELETE /${one}`]: () => undefined,
    [`PUT /${one}/read`]: () => undefined,
    [`POST /${one}/restore`]: ({ params }) => all.find(({ id }) => id === params.conversationId),
    ...handlers,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationList />
      <p data-testid="where">{<Where />}</p>
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id?', at },
  );
  return api;
}
const Where = () => useLocation().pathname;
const box = (name: string) => screen.findByRole('checkbox', { name });
const link = (name: string) => screen.findByRole('link', { name });
const titles = () =>
  within(screen.getByRole('navigation'))
    .getAllByRole('listitem')
    .map((row) => row.textContent);
const bar = () => screen.findByRole('toolbar', { name: 'Selected chats' });
const act = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const undo = () => act('Undo');
const sent = ({ calls }: ReturnType<typeof show>, route: string) => calls.filter((call) => call.route === route);

const expectSelected = (...names: string[]) =>
  waitFor(() => {
    const checked = screen.getAllByRole('checkbox', { checked: true });
    expect(checked.map((input) => input.closest('li')?.textContent)).toEqual(
      names.map((name) => name.replaceAll(' ', '')),
    );
    expect(screen.getByRole('toolbar')).toHaveTextContent(`${names.length} selected`);
  });

/** Selects the first chat by its menu, and adds the others. */
async function select(first: string, ...others: string[]) {
  fireEvent.click(await link(first), { ctrlKey: true });
  for (const other of others) await userEvent.click(await box(other));
}

beforeEach(() => localStorage.clear());

describe('selecting chats in the list', () => {
  it('starts in the menu of a chat', async () => {
    show();
    await userEvent.hover(await link('Meter Unread'));
    await act('Actions for Meter');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Select chats' }));
    expect(await bar()).toHaveTextContent('1 selected');
    await waitFor(async () => expect(await box('Meter Unread')).toHaveFocus());
  });

  it('starts with a long touch, but not with a short one or a scroll', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    show();
    const row = await link('VPN');
    const touch = { pointerType: 'touch', clientX: 0, clientY: 0 };
    fireEvent(row, pointer('pointerdown', touch));
    fireEvent(row, pointer('pointerup', touch));
    jest.advanceTimersByTime(1000);
    fireEvent(row, pointer('pointerdown', touch));
    fireEvent(row, pointer('pointermove', { ...touch, clientY: 40 }));
    jest.advanceTimersByTime(1000);
    expect(screen.queryByRole('checkbox')).toBeNull();
    fireEvent(row, pointer('pointerdown', touch));
    during(() => {
      jest.advanceTimersByTime(1000);
    });
    jest.useRealTimers();
    expect(await box('VPN')).toBeChecked();
    // The selection bar appeared under the finger, so the click at the end of the touch hits the bar's button.
    const end = within(await bar()).getByRole('button', { name: 'Cancel selection' });
    fireEvent(end, pointer('pointerup', touch));
    fireEvent.click(end);
    expect(await box('VPN')).toBeChecked();
    await userEvent.click(end);
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('works by keyboard: arrows, Space, a range with Shift, all with Ctrl+A; Escape ends it', async () => {
    show();
    await select('VPN');
    await waitFor(async () => expect(await box('VPN')).toHaveFocus());
    await userEvent.keyboard('{ArrowDown} ');
    expect(await bar()).toHaveTextContent('2 selected');
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
    expect(await box('Leave')).toBeChecked();
    expect(await box('Tender')).not.toBeChecked();
    await userEvent.keyboard('{Control>}a{/Control}');
    expect(await bar()).toHaveTextContent('4 selected');
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(await link('Leave')).toHaveFocus();
  });

  it('selects a range with Shift and a click', async () => {
    show();
    await select('VPN');
    fireEvent.click(await box('Leave'), { shiftKey: true });
    await waitFor(async () => expect(await bar()).toHaveTextContent('3 selected'));
  });

  it('selects 100 chats at most', async () => {
    const many = Array.from({ length: 120 }, (_, at) => ({
      ...sampleConversation,
      id: `cnv_${String(at).padStart(26, '0')}` as ConversationId,
      title: `Chat ${at}`,
    }));
    show({}, many);
    await select('Chat 5');
    await act('Select all');
    expect(await bar()).toHaveTextContent('100 selected, the most at once');
  });

  it('says why actions are off while no chat is selected', async () => {
    show();
    await select('VPN', 'VPN');
    const button = await screen.findByRole('button', { name: 'Archive chats' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAccessibleDescription('Select at least one chat');
  });
});

describe('actions on many chats', () => {
  it('archives many chats, and one Undo restores each as it was', async () => {
    const api = show({}, [{ ...vpn, pinned: true }, meter, leave]);
    await select('VPN', 'Meter Unread');
    await act('Archive chats');
    await waitFor(() => expect(titles()).toEqual(['Leave']));
    expect(await screen.findByText(/2 chats archived/)).toBeInTheDocument();
    await undo();
    await waitFor(() => expect(titles()).toEqual(['VPN', 'MeterUnread', 'Leave']));
    expect(sent(api, mark).map(({ body }) => body)).toEqual([
      { conversationIds: [vpn.id, meter.id], archived: true },
      { conversationIds: [vpn.id], pinned: true },
      { conversationIds: [meter.id], pinned: false, archived: false },
    ]);
  });

  it('names chats that couldn’t be changed, and why', async () => {
    const gone = { conversationId: vpn.id, code: 'chat.conversation-not-found' as const };
    show({ [mark]: () => ({ results: [gone, { conversationId: leave.id, code: null }] }) });
    await select('VPN', 'Leave');
    await act('Pin chats');
    expect(await screen.findByText(/1 chat pinned/)).toHaveTextContent(/VPN.* stayed as it was\. .*was deleted/);
    expect(screen.queryByText('VPN', { selector: 'nav bdi' })).toBeNull();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Pinned' })).toBeInTheDocument());
    // The chat that was refused is gone, so nothing is left to select.
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull());
  });

  it('leaves all chats in the list if archiving is refused', async () => {
    show({ [mark]: () => refuse('platform.unavailable') });
    await select('VPN', 'Leave');
    await act('Archive chats');
    expect(await screen.findByText(/and 1 other chat stayed as they were/)).toBeInTheDocument();
    expect(titles()).toEqual(['VPN', 'MeterUnread', 'Leave', 'Tender']);
    await expectSelected('VPN', 'Leave');
  });

  it('keeps chats selected that could not be exported', async () => {
    show({ [`GET /${one}/export`]: () => refuse('platform.unavailable') });
    await select('VPN', 'Leave');
    await act('Export chats');
    expect(await screen.findByText(/No chats were exported/)).toBeInTheDocument();
    await expectSelected('VPN', 'Leave');
  });

  it('keeps chats selected if it couldn’t mark them as read', async () => {
    show({ [`PUT /${one}/read`]: () => refuse('platform.forbidden') });
    await select('VPN', 'Meter Unread');
    await act('Mark as read');
    expect(await screen.findByText(/stayed as it was/)).toBeInTheDocument();
    await expectSelected('Meter Unread');
  });

  it('marks selected unread chats as read, and no others, with one Undo', async () => {
    const api = show();
    await select('VPN', 'Meter Unread');
    await act('Mark as read');
    await waitFor(() => expect(titles()).toContain('Meter'));
    expect(sent(api, `PUT /${one}/read`)).toHaveLength(1);
    expect(await screen.findByText('1 chat marked as read.', { exact: false })).toBeInTheDocument();
    await act('Undo');
    await waitFor(() => expect(titles()).toContain('MeterUnread'));
    expect(sent(api, mark).map(({ body }) => body)).toEqual([{ conversationIds: [chats[1]!.id], unread: true }]);
  });

  it('deletes many chats, names refused ones, and one Undo restores the others', async () => {
    const api = show(
      {
        [`DELETE /${one}`]: ({ params }) =>
          params.conversationId === leave.id ? refuse('platform.forbidden') : undefined,
      },
      chats,
      `/en/chat/${vpn.id}`,
    );
    await select('VPN', 'Meter Unread', 'Leave');
    await act('Delete chats');
    expect(await screen.findByText(/2 chats deleted/)).toHaveTextContent(/Leave.* stayed as it was/);
    expect(titles()).toEqual(['Leave', 'Tender']);
    await expectSelected('Leave');
    expect(screen.getByTestId('where')).toHaveTextContent(/chat$/);
    await undo();
    await waitFor(() => expect(titles()).toEqual(['VPN', 'MeterUnread', 'Leave', 'Tender']));
    await waitFor(() => expect(screen.getByTestId('where')).toHaveTextContent(vpn.id));
    expect(sent(api, `POST /${one}/restore`)).toHaveLength(2);
  });

  it('exports many chats as one ZIP with a file for each', async () => {
    show({
      [`GET /${one}/export`]: ({ params }) => new TextEncoder().encode(`{"id":"${params.conversationId}"}`) as never,
    });
    const saved: Blob[] = [];
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    URL.createObjectURL = (blob) => `blob:${saved.push(blob as Blob)}`;
    URL.revokeObjectURL = () => undefined;
    await select('VPN', 'Leave');
    await act('Export chats');
    await waitFor(() => expect(saved).toHaveLength(1));
    const text = await textOf(saved[0]!);
    expect(text).toMatch(/^PK/);
    for (const name of ['parley-export.json', `chats/${vpn.id}.json`, `chats/${leave.id}.json`])
      expect(text).toContain(name);
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull());
  });
});

const textOf = (blob: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.readAsText(blob);
  });

/** Simulates pointer events, because jsdom has none. */
function pointer(type: string, init: object): Event {
  return Object.assign(new Event(type, { bubbles: true }), init);
}
