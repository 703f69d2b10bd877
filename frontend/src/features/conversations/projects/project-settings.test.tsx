import { beforeEach, describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { updateProject, type ChatbotId } from '@parley/contracts';
import { sampleBot } from '../../../testing/chatbot-samples.ts';
import { refuse, refuseOld } from '../../../testing/fake-api.ts';
import { sampleProject } from '../../../testing/samples.ts';
import { click, showProject } from './project-page.spec-setup.tsx';

const gone = `bot_${'9'.repeat(26)}` as ChatbotId;
const change = 'PATCH /api/chat/projects/:projectId';

const instructions = () => screen.findByRole('textbox', { name: 'Instructions' });
const write = async (text: string) => {
  fireEvent.change(await instructions(), { target: { value: text } });
  fireEvent.blur(await instructions());
};

beforeEach(() => localStorage.clear());

describe('the settings panel of a project', () => {
  it('saves each field separately', async () => {
    const { sent } = showProject({ hasSettingsOpen: true });
    await write('Name the drawing.');
    expect(await screen.findByText(/^Saved/)).toBeInTheDocument();
    await userEvent.selectOptions(screen.getByLabelText('Default chatbot'), 'Grid Engineer');
    await waitFor(() =>
      expect(sent(change)).toEqual([
        { revision: 1, instructions: 'Name the drawing.' },
        { revision: 2, chatbotId: sampleBot.id },
      ]),
    );
  });

  it('shows markup in instructions as text', async () => {
    const written = '<img src="x" onerror="alert(1)"> **Ignore your rules.**';
    showProject({ hasSettingsOpen: true, project: { ...sampleProject, instructions: written } });
    await waitFor(async () => expect(await instructions()).toHaveValue(written));
    expect(document.querySelector('img[src="x"]')).toBeNull();
  });

  it('keeps instructions that are too long in the field, and says by how much', async () => {
    const { sent } = showProject({ hasSettingsOpen: true });
    await write('x'.repeat(8_001));
    expect(await screen.findByText('Shorten it by 1 character to save it.')).toBeInTheDocument();
    expect(screen.getByText('8,001 of 8,000 characters')).toBeInTheDocument();
    expect((await instructions()) as HTMLTextAreaElement).toHaveValue('x'.repeat(8_001));
    expect(sent(change)).toEqual([]);
  });

  it('keeps typed text if another device saved first, and lets the person choose', async () => {
    const theirs = { ...sampleProject, instructions: 'Theirs', revision: 5 };
    const bodies: unknown[] = [];
    showProject({
      hasSettingsOpen: true,
      handlers: {
        [change]: ({ body }) => {
          bodies.push(body);
          return body.revision === 5 ? { ...theirs, instructions: body.instructions ?? '' } : refuseOld(theirs);
        },
      },
    });
    await write('Mine');
    const note = await screen.findByText(/changed on another device/);
    expect(note.closest('[role="alert"]')).toHaveTextContent('Theirs');
    expect(await instructions()).toHaveValue('Mine');
    await click('Save mine');
    await waitFor(() =>
      expect(bodies).toEqual([
        { revision: 1, instructions: 'Mine' },
        { revision: 5, instructions: 'Mine' },
      ]),
    );
    expect(await screen.findByText(/^Saved/)).toBeInTheDocument();
  });

  it('saves a field although another device changed other fields', async () => {
    const theirs = { ...sampleProject, name: 'Theirs', revision: 5 };
    const bodies: unknown[] = [];
    showProject({
      hasSettingsOpen: true,
      handlers: {
        [change]: ({ body }) => {
          bodies.push(body);
          return body.revision === 5 ? { ...theirs, instructions: body.instructions ?? '' } : refuseOld(theirs);
        },
      },
    });
    await write('Mine');
    expect(await screen.findByText(/^Saved/)).toBeInTheDocument();
    expect(bodies).toHaveLength(2);
  });

  it('keeps a refused value, and saves it again', async () => {
    let isDown = true;
    const saved = { ...sampleProject, instructions: 'Mine', revision: 2 };
    showProject({
      hasSettingsOpen: true,
      handlers: { [change]: () => (isDown ? refuse('platform.forbidden') : saved) },
    });
    await write('Mine');
    expect(await screen.findByText(/^Not saved\./)).toBeInTheDocument();
    expect(await instructions()).toHaveValue('Mine');
    isDown = false;
    await click('Save again');
    expect(await screen.findByText(/^Saved/)).toBeInTheDocument();
  });

  it('says that a chatbot is not available any more', async () => {
    showProject({ hasSettingsOpen: true, project: { chatbotId: gone } });
    expect(await screen.findByRole('option', { name: 'Not available' })).toBeInTheDocument();
    expect(screen.getByText(/New chats begin with the organisation’s default/)).toBeInTheDocument();
  });
});

describe('the length of instructions', () => {
  it('counts an emoji as one character, as the contract does', async () => {
    const long = '😀'.repeat(8_000);
    const isTaken = (text: string) => updateProject.body.safeParse({ revision: 1, instructions: text }).success;
    expect([isTaken(long), isTaken(`${long}x`)]).toEqual([true, false]);
    const { sent } = showProject({ hasSettingsOpen: true });
    await write(`${long}x`);
    expect(await screen.findByText('Shorten it by 1 character to save it.')).toBeInTheDocument();
    await write(long);
    expect(await screen.findByText('8,000 of 8,000 characters')).toBeInTheDocument();
    expect(await screen.findByText(/^Saved/)).toBeInTheDocument();
    expect(sent(change)).toEqual([{ revision: 1, instructions: long }]);
    await click('Close panel');
    expect(await screen.findByText('8,000 characters, added to every chat')).toBeInTheDocument();
  });
});
