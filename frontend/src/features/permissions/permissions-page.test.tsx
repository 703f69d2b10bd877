import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Role } from '@parley/contracts';
import type { OrgRole } from '@parley/contracts/permissions';
import { installFakeApi, refuse, refuseOld, type Handlers } from '../../testing/fake-api.ts';
import { loseConnectionForLong, withPassingTime } from '../../testing/lost-connection.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleMember, sampleRole, sampleRoles } from '../../testing/samples.ts';
import { PermissionsPage } from './permissions-page.tsx';

const builder = sampleRole(['chat:create', 'chat:read']);
const oneMember = () => ({ items: [sampleMember()], nextCursor: null });

function show(handlers: Handlers, role: OrgRole = 'owner') {
  const api = installFakeApi({ 'GET /api/org/members': oneMember, ...handlers });
  renderInOrganisation(<PermissionsPage />, {
    path: '/:locale/settings/permissions',
    at: '/en/settings/permissions',
    role,
  });
  return api;
}
const showRoles = (roles: () => Role[], handlers: Handlers = {}, role: OrgRole = 'owner') =>
  show({ 'GET /api/org/roles': () => ({ items: roles() }), ...handlers }, role);
const cell = (name: string) => screen.findByRole('button', { name });

describe('the matrix of roles', () => {
  it('is a table with heads, whose cells say what they show', async () => {
    showRoles(() => sampleRoles(builder));
    expect(await cell('Bot builder, Start a chat: allowed')).toBeInTheDocument();
    expect(await cell('Guest, Start a chat: not given')).toBeInTheDocument();
    expect(await cell('Owner, Read chats: allowed for one’s own')).toBeInTheDocument();
    expect(screen.getByRole('columnheader', { name: 'Bot builder' })).toBeInTheDocument();
    expect(screen.getByRole('rowheader', { name: 'Start a chat' })).toBeInTheDocument();
    expect(screen.getByRole('row', { name: 'Roles and groups' })).toBeInTheDocument();
  });

  it('is reached by one Tab stop and walked with the arrows', async () => {
    showRoles(() => sampleRoles(builder));
    const first = await cell('Owner, Start a chat: allowed');
    expect(
      screen.getAllByRole('button', { name: /: (allowed|not given)/ }).filter((one) => one.tabIndex === 0),
    ).toEqual([first]);
    act(() => first.focus());
    await userEvent.keyboard('{ArrowRight}{ArrowDown}');
    expect(await cell('Admin, Read chats: allowed for one’s own')).toHaveFocus();
    await userEvent.keyboard('{End}{ArrowUp}{ArrowUp}');
    expect(screen.getByRole('button', { name: 'Bot builder' })).toHaveFocus();
    await userEvent.keyboard('{Home}');
    expect(screen.getByRole('button', { name: 'Owner' })).toHaveFocus();
  });

  it('explains a built-in cell, which stays as it is, with the people it applies to', async () => {
    showRoles(() => sampleRoles());
    await userEvent.click(await cell('Guest, Start a chat: not given'));
    const why = screen.getByRole('complementary', { name: 'Why' });
    expect(within(why).getByText('chat:create')).toBeInTheDocument();
    expect(within(why).getByText('Result: denied')).toBeInTheDocument();
    expect(within(why).getByText(/^Built-in roles are the same everywhere/)).toBeInTheDocument();
    expect(await within(why).findByText('Kei Amasato')).toBeInTheDocument();
    expect(screen.queryByText(/not saved/)).not.toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('complementary')).not.toBeInTheDocument();
  });

  it('says without roles of its own how to come to one, and tells failure and missing right apart', async () => {
    showRoles(() => sampleRoles());
    expect(await screen.findByText(/^These six roles are built in and stay/)).toBeInTheDocument();
    show({ 'GET /api/org/roles': () => refuse('platform.internal') });
    expect(await screen.findByText('The roles could not be loaded')).toBeInTheDocument();
    show({ 'GET /api/org/roles': () => refuse('platform.forbidden') });
    expect(await screen.findByText('You cannot see this')).toBeInTheDocument();
  });

  it('is there to be read for whoever may not change roles', async () => {
    showRoles(() => sampleRoles(builder), {}, 'member');
    await userEvent.click(await cell('Bot builder, Start a chat: allowed'));
    expect(screen.getByText(/^Your role does not include changing roles/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Add role' })).not.toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Groups' })).not.toBeInTheDocument();
  });

  it('lets nobody give or take what they do not have', async () => {
    showRoles(() => sampleRoles(builder), {}, 'admin');
    await userEvent.click(await cell('Bot builder, Hand over ownership: not given'));
    expect(screen.getByText(/^You do not have this right yourself/)).toBeInTheDocument();
    expect(screen.queryByText(/not saved/)).not.toBeInTheDocument();
  });
});

describe('cells that are changed', () => {
  const bodies: unknown[] = [];
  const saving = (): Handlers => ({
    'PATCH /api/org/roles/:roleId': ({ body }) => {
      bodies.push(body);
      return { ...builder, permissions: body.permissions ?? [], version: 2 };
    },
  });

  it('are saved together, once one has read who gains and who loses', async () => {
    bodies.length = 0;
    const saved = () => (bodies.length === 0 ? builder : sampleRole(['chat:read', 'model:use'], { version: 2 }));
    showRoles(() => sampleRoles(saved()), saving());
    await userEvent.click(await cell('Bot builder, Start a chat: allowed'));
    await userEvent.click(await cell('Bot builder, Ask models: not given'));
    expect(screen.getByText('2 changes not saved.').parentElement).toHaveTextContent(
      '2 changes not saved. 4 people gain, 4 people lose.',
    );
    expect(await cell('Bot builder, Ask models: allowed, not saved')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'See who' }));
    const who = screen.getByRole('complementary', { name: 'Who gains, who loses' });
    expect(within(who).getByText('+ Ask models')).toBeInTheDocument();
    expect(within(who).getByText('− Start a chat')).toBeInTheDocument();
    expect(await within(who).findByText('Kei Amasato')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await cell('Bot builder, Ask models: allowed')).toBeInTheDocument();
    expect(bodies).toEqual([{ version: 1, permissions: ['chat:read', 'model:use'] }]);
    expect(await screen.findByText('2 changes saved')).toBeInTheDocument();
    expect(screen.queryByText(/not saved/)).not.toBeInTheDocument();
  });

  it('go back by a second click, or all at once', async () => {
    showRoles(() => sampleRoles(builder));
    await userEvent.click(await cell('Bot builder, Ask models: not given'));
    await userEvent.click(await cell('Bot builder, Ask models: allowed, not saved'));
    expect(screen.queryByText(/not saved/)).not.toBeInTheDocument();
    await userEvent.click(await cell('Bot builder, Ask models: not given'));
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
    expect(await cell('Bot builder, Ask models: not given')).toBeInTheDocument();
  });

  it('stay unsaved over what somebody else saved first, which is shown, and are saved over that', async () => {
    let kept = builder;
    const versions: number[] = [];
    showRoles(() => sampleRoles(kept), {
      'PATCH /api/org/roles/:roleId': ({ body }) => {
        versions.push(body.version);
        if (body.version !== kept.version) return refuseOld(kept);
        kept = { ...kept, permissions: body.permissions ?? [], version: kept.version + 1 };
        return kept;
      },
    });
    await userEvent.click(await cell('Bot builder, Ask models: not given'));
    kept = sampleRole(['chat:read', 'audit:read'], { version: 2 });
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    const note = await screen.findByRole('alert');
    expect(note).toHaveTextContent('given: Read the audit log; taken: Start a chat');
    expect(await cell('Bot builder, Start a chat: not given')).toBeInTheDocument();
    expect(await cell('Bot builder, Ask models: allowed, not saved')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await cell('Bot builder, Ask models: allowed')).toBeInTheDocument();
    expect(versions).toEqual([1, 2]);
    expect(kept.permissions).toEqual(['chat:read', 'audit:read', 'model:use']);
  });

  it('stay with the reason when the server refuses them', async () => {
    showRoles(() => sampleRoles(builder), { 'PATCH /api/org/roles/:roleId': () => refuse('org.beyond-own-rights') });
    await userEvent.click(await cell('Bot builder, Ask models: not given'));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/Nobody gives or takes rights/)).toBeInTheDocument();
    expect(await cell('Bot builder, Ask models: allowed, not saved')).toBeInTheDocument();
  });

  it('tell of a role that is gone', async () => {
    let roles = sampleRoles(builder);
    showRoles(() => roles, { 'PATCH /api/org/roles/:roleId': () => refuse('org.role-not-found') });
    await userEvent.click(await cell('Bot builder, Ask models: not given'));
    roles = sampleRoles();
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/cannot be changed any more/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Drop these changes' }));
    expect(screen.queryByText(/cannot be changed any more/)).not.toBeInTheDocument();
  });
});

describe('cells after a long loss of the connection', () => {
  const person = withPassingTime();

  it('are explained and not changed', async () => {
    showRoles(() => sampleRoles(builder));
    const one = await cell('Bot builder, Ask models: not given');
    await loseConnectionForLong();
    await person.click(one);
    await waitFor(() => expect(screen.getByRole('complementary', { name: 'Why' })).toBeInTheDocument());
    expect(screen.queryByText(/not saved/)).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Add role' })).toHaveAttribute('aria-disabled', 'true');
  });
});
