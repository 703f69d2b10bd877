import { describe, expect, it, beforeEach } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { chatbotContent, type ChatbotDraft } from '@parley/contracts';
import type { OrgRole } from '@parley/contracts/permissions';
import { installFakeApi, refuse, refuseOld, type Handlers } from '../../testing/fake-api.ts';
import {
  noTests,
  sampleBotId,
  sampleBotSummary,
  sampleContent,
  sampleDraft,
  sampleVersion,
  studioHandlers,
} from '../../testing/chatbot-samples.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { AiStudioPage } from './ai-studio-page.tsx';

beforeEach(() => localStorage.clear());

function show(
  handlers: Handlers = {},
  { at = `?bot=${sampleBotId}`, role = 'owner' as OrgRole, draft = sampleDraft() } = {},
) {
  const api = installFakeApi({ ...studioHandlers(draft), ...handlers });
  renderInOrganisation(<AiStudioPage />, {
    path: '/:locale/settings/aiStudio-chatbot-settings',
    at: `/en/settings/aiStudio-chatbot-settings${at}`,
    role,
  });
  return api;
}
const sent = (api: ReturnType<typeof show>, route: string) =>
  api.calls.filter((call) => call.route === route).map(({ body }) => body as Record<string, unknown>);
const put = 'PUT /api/chat/chatbot-drafts/:chatbotId';
const instructions = () => screen.findByRole('textbox', { name: 'Instructions' });

describe('the list', () => {
  it('shows each chatbot with its state, and templates while there is only the default one', async () => {
    show(
      {
        'GET /api/chat/chatbot-drafts': () => ({
          items: [
            sampleBotSummary(),
            sampleBotSummary({ id: `${sampleBotId.slice(0, -1)}9`, name: 'Other', publishedVersion: null }),
          ] as never,
        }),
      },
      { at: '' },
    );
    expect(await screen.findByText('Published, changed since')).toBeInTheDocument();
    expect(screen.getByText('Draft')).toBeInTheDocument();
    expect(screen.getByText('2 chatbots')).toBeInTheDocument();
    expect(screen.queryByText('Make a chatbot of your own')).not.toBeInTheDocument();
  });

  it('begins with a template, which makes a draft', async () => {
    const api = show(
      {
        'GET /api/chat/chatbot-drafts': () => ({ items: [sampleBotSummary({ isDefault: true, publishedVersion: 0 })] }),
        'POST /api/chat/chatbot-drafts': ({ body }) =>
          sampleDraft({ id: body.id, content: body.content, published: null }),
      },
      { at: '' },
    );
    await userEvent.click(await screen.findByRole('button', { name: /^Handbook/ }));
    expect(((await instructions()) as HTMLTextAreaElement).value).toContain(
      'You answer questions of people of {{org.name}} from its documents.\nAnswer in',
    );
    expect(sent(api, 'POST /api/chat/chatbot-drafts')[0]).toMatchObject({
      content: { knowledge: { passages: 8, onlyFromDocuments: true } },
    });
  });

  it('deletes after a question that names it, and says what failed', async () => {
    const api = show({ 'DELETE /api/chat/chatbot-drafts/:chatbotId': () => undefined }, { at: '' });
    await userEvent.click(await screen.findByRole('button', { name: 'Delete Grid Engineer' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete Grid Engineer?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete chatbot' }));
    expect(sent(api, 'DELETE /api/chat/chatbot-drafts/:chatbotId')).toHaveLength(1);
    show({ 'GET /api/chat/chatbot-drafts': () => refuse('platform.internal') }, { at: '' });
    expect(await screen.findByText('The chatbots could not be loaded')).toBeInTheDocument();
  });
});

describe('a draft', () => {
  const saving = (
    answers: ((draft: ChatbotDraft) => ReturnType<typeof refuseOld> | ChatbotDraft)[] = [],
  ): Handlers => ({
    [put]: ({ body }: { body: { revision: number; content: ChatbotDraft['content'] } }) => {
      const saved = sampleDraft({ revision: body.revision + 1, content: body.content, isChanged: true });
      return answers.shift()?.(saved) ?? saved;
    },
  });

  it('saves itself once typing pauses, and takes the change back', async () => {
    const api = show(saving());
    await userEvent.type(await instructions(), ' More.');
    expect(await screen.findByText('Saved')).toBeInTheDocument();
    expect(sent(api, put)).toMatchObject([
      { revision: 3, content: { instructions: expect.stringMatching(/ More\.$/) } },
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(sent(api, put)).toHaveLength(2));
    expect(sent(api, put)[1]).toMatchObject({ revision: 4, content: sampleContent() });
  });

  it('counts an emoji in its instructions as one character, as the contract does', async () => {
    const long = '😀'.repeat(20_000);
    const isTaken = (text: string) => chatbotContent.shape.instructions.safeParse(text).success;
    expect([isTaken(long), isTaken(`${long}x`)]).toEqual([true, false]);
    const api = show(saving());
    fireEvent.change(await instructions(), { target: { value: long } });
    expect(screen.getByText('20,000 of 20,000 characters')).toBeInTheDocument();
    await waitFor(() => expect(sent(api, put)).toHaveLength(1), { timeout: 3_000 });
  });

  it('offers variables where braces are typed, and sends nothing with one that is not there', async () => {
    const api = show(saving());
    const field = await instructions();
    await userEvent.type(field, ' {{{{per');
    expect(screen.getByRole('button', { name: /person\.name/ })).toBeInTheDocument();
    await userEvent.keyboard('{Enter} now');
    expect(field).toHaveValue(`${sampleContent().instructions} {{person.name}} now`);
    await waitFor(() => expect(sent(api, put)).toHaveLength(1));
    await userEvent.type(field, ' {{{{salary}}');
    expect(screen.getByRole('alert')).toHaveTextContent('The variable {{salary}} doesn’t exist');
    expect(screen.getByText('Not saved: see the field')).toBeInTheDocument();
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(sent(api, put)).toHaveLength(1);
  });

  it('takes in what somebody else changed beside it, without a question', async () => {
    const theirs = sampleDraft({ revision: 9, content: sampleContent({ name: 'Grid', temperature: 0.4 }) });
    const api = show(saving([() => refuseOld(theirs)]));
    await userEvent.type(await instructions(), ' Mine.');
    await waitFor(() => expect(sent(api, put)).toHaveLength(2));
    expect(sent(api, put)[1]).toMatchObject({
      revision: 9,
      content: { name: 'Grid', temperature: 0.4, instructions: expect.stringMatching(/ Mine\.$/) },
    });
  });

  it('shows the difference where both changed the same, and does what the person decides', async () => {
    const theirs = sampleDraft({ revision: 9, content: sampleContent({ instructions: 'Theirs.' }) });
    const api = show(saving([() => refuseOld(theirs)]));
    const field = await instructions();
    await userEvent.clear(field);
    await userEvent.type(field, 'Mine.');
    const note = await screen.findByText(/changed the same meanwhile/);
    expect(within(note.closest('[role="alert"]')!).getByText('Theirs.')).toBeInTheDocument();
    expect(field).toHaveValue('Mine.');
    await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
    await waitFor(() =>
      expect(sent(api, put).at(-1)).toMatchObject({ revision: 9, content: { instructions: 'Mine.' } }),
    );
  });

  it('keeps what could not be sent in this browser', async () => {
    show({ [put]: () => refuse('platform.internal') });
    await userEvent.type(await instructions(), ' Kept.');
    expect(await screen.findByText('Not saved')).toBeInTheDocument();
    const kept = Object.entries(localStorage).find(([key]) => key.startsWith('parley.studio.'));
    expect(kept?.[1]).toContain(' Kept.');
  });

  it('of the default chatbot stays for everybody', async () => {
    show({}, { at: `?bot=${sampleBotId}&part=audience`, draft: sampleDraft({ isDefault: true }) });
    expect(await screen.findByRole('radio', { name: /^Only some/ })).toBeDisabled();
  });

  it('that is gone says so', async () => {
    show({ 'GET /api/chat/chatbot-drafts/:chatbotId': () => refuse('chat.chatbot-not-found') });
    expect(await screen.findByText('This chatbot is not there')).toBeInTheDocument();
  });
});

describe('publishing', () => {
  const changed = sampleDraft({ isChanged: true, content: sampleContent({ instructions: 'New.' }) });

  it('says what changes and takes a note', async () => {
    const api = show(
      {
        'POST /api/chat/chatbot-drafts/:chatbotId/publish': () =>
          sampleDraft({
            ...changed,
            isChanged: false,
            published: sampleVersion({ version: 15, content: changed.content }),
          }),
      },
      { draft: changed },
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Publish' }));
    const dialog = await screen.findByRole('dialog', { name: 'Publish version 15?' });
    expect(dialog).toHaveTextContent('What changes: Instructions.');
    await userEvent.type(within(dialog).getByLabelText('Note'), 'Shorter');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Publish version 15' }));
    expect(sent(api, 'POST /api/chat/chatbot-drafts/:chatbotId/publish')).toEqual([{ revision: 3, note: 'Shorter' }]);
  });

  it.each([
    ['nothing has changed', {}, sampleDraft()],
    [
      'needs 2 of 0 tests, 1 pass',
      {
        'GET /api/chat/chatbot-drafts/:chatbotId/tests': () => ({
          ...noTests,
          gate: { least: 2 },
          onDraft: { runId: 'run_01M7Z6X0BT7J6QPJC5FQE3HR31' as never, passed: 1 },
        }),
      },
      changed,
    ],
  ] as const)('is off with its reason: %s', async (reason, handlers, draft) => {
    show(handlers as Handlers, { draft });
    expect(await screen.findByText(reason)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Publish' })).toHaveAttribute('aria-disabled', 'true');
  });
});

it('an earlier version becomes the draft, and that can be taken back', async () => {
  const old = sampleVersion({ version: 13, note: 'Older', content: sampleContent({ instructions: 'Old words.' }) });
  const api = show(
    {
      'GET /api/chat/chatbot-drafts/:chatbotId/versions': () => ({ items: [sampleVersion(), old], nextCursor: null }),
      [put]: ({ body }: { body: { revision: number; content: ChatbotDraft['content'] } }) =>
        sampleDraft({ revision: body.revision + 1, content: body.content, isChanged: true }),
    } as Handlers,
    { at: `?bot=${sampleBotId}&tab=versions` },
  );
  await userEvent.click(await screen.findByRole('button', { name: /^Version 13/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Restore Version 13' }));
  await waitFor(() => expect(sent(api, put)[0]).toMatchObject({ content: { instructions: 'Old words.' } }));
  expect(screen.getByText('Version 13 is the draft now')).toBeInTheDocument();
  expect(screen.getByText('Old words.')).toBeInTheDocument();
});

it('what nobody has published of the default chatbot goes by one name: in the title, the playground and the list', async () => {
  const original = { ...sampleVersion(), version: 0, note: '', by: null, publishedAt: null };
  const draft = sampleDraft({ isDefault: true, published: original, isChanged: false });
  show(
    { 'GET /api/chat/chatbot-drafts/:chatbotId/versions': () => ({ items: [original], nextCursor: null }) },
    { draft },
  );
  expect(await screen.findAllByText('Original, live')).not.toHaveLength(0);
  expect(await screen.findAllByRole('option', { name: 'Original, live' })).toHaveLength(2);
  await userEvent.click(screen.getByRole('link', { name: 'Versions' }));
  expect(await screen.findByRole('button', { name: /^Original/ })).toBeInTheDocument();
  expect(screen.queryByText(/Version 0/)).toBeNull();
});
