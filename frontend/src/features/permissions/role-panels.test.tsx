import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { OrgRole, Permission } from '@parley/contracts/permissions';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleIds, sampleMember, sampleRole, sampleRoles } from '../../testing/samples.ts';
import { PermissionsPage } from './permissions-page.tsx';

const builder = sampleRole(['chat:create', 'chat:read']);

function show(handlers: Handlers, role: OrgRole = 'owner') {
  const api = installFakeApi({
    'GET /api/org/roles': () => ({ items: sampleRoles(builder) }),
    'GET /api/org/members': () => ({ items: [sampleMember()], nextCursor: null }),
    ...handlers,
  });
  renderInOrganisation(<PermissionsPage />, {
    path: '/:locale/settings/permissions',
    at: '/en/settings/permissions',
    role,
  });
  return api;
}

describe('a role as a whole', () => {
  const added = (permissions: readonly Permission[]) => sampleRole(permissions, { name: 'Auditors', memberCount: 0 });

  it('is added from another one, with those of its rights that one has oneself', async () => {
    const bodies: { name: string; permissions: Permission[] }[] = [];
    show(
      {
        'POST /api/org/roles': ({ body }) => {
          bodies.push(body);
          return added(body.permissions);
        },
      },
      'admin',
    );
    await screen.findByRole('button', { name: 'Bot builder' });
    await userEvent.click(screen.getByRole('button', { name: 'Add role' }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add role' }));
    expect(within(dialog).getByText('Enter the name that people will see.')).toBeInTheDocument();
    await userEvent.type(within(dialog).getByLabelText('Name'), ' Auditors ');
    await userEvent.selectOptions(within(dialog).getByLabelText('Start from'), 'Owner');
    expect(within(dialog).getByText(/^3 rights that you do not have yourself are left out/)).toBeInTheDocument();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add role' }));
    expect(await screen.findByRole('complementary', { name: 'Role' })).toBeInTheDocument();
    expect(bodies.map(({ name }) => name)).toEqual(['Auditors']);
    expect(bodies[0]?.permissions).toContain('audit:read');
    expect(bodies[0]?.permissions).not.toContain('org:transfer');
    expect(bodies[0]?.permissions).not.toContain('billing:read');
  });

  it('hears at its field that a name is taken', async () => {
    show({ 'POST /api/org/roles': () => refuse('org.name-taken') });
    await screen.findByRole('button', { name: 'Bot builder' });
    await userEvent.click(screen.getByRole('button', { name: 'Add role' }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.type(within(dialog).getByLabelText('Name'), 'Bot builder');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add role' }));
    expect(await within(dialog).findByText(/^There is one of this name already/)).toBeInTheDocument();
    expect(within(dialog).getByLabelText('Name')).toHaveFocus();
  });

  it('is renamed in place, and the focus goes back', async () => {
    const bodies: unknown[] = [];
    show({
      'PATCH /api/org/roles/:roleId': ({ body }) => {
        bodies.push(body);
        return { ...builder, name: body.name ?? '', version: 2 };
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Bot builder' }));
    await userEvent.click(screen.getByRole('button', { name: 'Rename role' }));
    await userEvent.keyboard('Makers{Enter}');
    expect(screen.getByRole('button', { name: 'Rename role' })).toHaveFocus();
    expect(bodies).toEqual([{ version: 1, name: 'Makers' }]);
    await userEvent.click(screen.getByRole('button', { name: 'Rename role' }));
    await userEvent.keyboard('Nobody{Escape}');
    expect(bodies).toHaveLength(1);
    expect(screen.getByRole('complementary', { name: 'Role' })).toBeInTheDocument();
  });

  it('is deleted with a replacement whose rights one has', async () => {
    const asked: unknown[] = [];
    show(
      {
        'DELETE /api/org/roles/:roleId': ({ params, query }) => {
          asked.push({ ...params, ...query });
          return undefined;
        },
      },
      'admin',
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Bot builder' }));
    await userEvent.click(screen.getByRole('button', { name: 'Delete role' }));
    const dialog = await screen.findByRole('dialog');
    const replacement = within(dialog).getByLabelText('Role that they get instead');
    expect(
      within(replacement)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['Admin', 'Analyst', 'Member', 'Guest']);
    await userEvent.selectOptions(replacement, 'Guest');
    expect(within(dialog).getByText(/^4 people get “Guest”/)).toBeInTheDocument();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete role' }));
    expect(asked).toEqual([{ roleId: sampleIds.role, replacement: 'guest' }]);
  });
});

describe('Check access', () => {
  const steps = [
    { rule: 'membership' as const, allows: true },
    { rule: 'role' as const, allows: true },
  ];

  it('finds the person and says yes or no with the rules that decide', async () => {
    const asked: unknown[] = [];
    show({
      'GET /api/org/members/:userId/access': ({ query }) => {
        asked.push(query);
        const isOwn = query.thing === 'own';
        const decided =
          query.thing === 'organisation' ? steps : [...steps, { rule: 'ownership' as const, allows: isOwn }];
        return { isAllowed: isOwn, role: builder.id, status: 'active', steps: decided };
      },
    });
    await screen.findByRole('button', { name: 'Bot builder' });
    await userEvent.click(screen.getByRole('button', { name: 'Check access' }));
    expect(screen.getByLabelText('Person')).toHaveFocus();
    await userEvent.keyboard('kei');
    await userEvent.click(await screen.findByRole('button', { name: /Kei Amasato/ }));
    expect(await screen.findByText('Yes')).toBeInTheDocument();
    expect(screen.getByText('It is their own')).toBeInTheDocument();
    await userEvent.selectOptions(screen.getByLabelText('Whose it is'), 'Somebody else’s');
    expect(await screen.findByText('No')).toBeInTheDocument();
    expect(screen.getByText('Kei Amasato can’t do this: Read chats')).toBeInTheDocument();
    await userEvent.selectOptions(screen.getByLabelText('Wants to'), 'Change roles');
    expect(within(screen.getByLabelText('Whose it is')).getAllByRole('option')).toHaveLength(1);
    await screen.findByText('Kei Amasato can’t do this: Change roles');
    expect(asked).toEqual([
      { permission: 'chat:read', thing: 'own' },
      { permission: 'chat:read', thing: 'of-others' },
      { permission: 'role:update', thing: 'organisation' },
    ]);
  });

  it('says of a suspended person that they may do nothing', async () => {
    show({
      'GET /api/org/members/:userId/access': () => ({
        isAllowed: false,
        role: builder.id,
        status: 'suspended',
        steps: [{ rule: 'membership', allows: false }],
      }),
    });
    await screen.findByRole('button', { name: 'Bot builder' });
    await userEvent.click(screen.getByRole('button', { name: 'Check access' }));
    await userEvent.keyboard('kei');
    await userEvent.click(await screen.findByRole('button', { name: /Kei Amasato/ }));
    expect(await screen.findByText('Is suspended')).toBeInTheDocument();
    expect(screen.queryByText(/^Role “/)).not.toBeInTheDocument();
  });
});

describe('on a small screen', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('one role is shown at a time: a cell changes, the name of a right explains', async () => {
    const real = window.matchMedia;
    jest
      .spyOn(window, 'matchMedia')
      .mockImplementation((query) => Object.assign(real(query), { matches: query === '(max-width: 699px)' }));
    show({});
    const cell = await screen.findByRole('button', { name: 'Bot builder, Ask models: not given' });
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
    await userEvent.click(cell);
    expect(screen.getByRole('button', { name: 'Bot builder, Ask models: allowed, not saved' })).toBeInTheDocument();
    expect(screen.queryByRole('complementary')).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Ask models' }));
    const why = screen.getByRole('complementary', { name: 'Why' });
    await userEvent.click(within(why).getByRole('button', { name: 'Undo this change' }));
    expect(within(why).getByText('Result: denied')).toBeInTheDocument();
    await userEvent.click(within(why).getByRole('button', { name: 'Close panel' }));
    await userEvent.selectOptions(screen.getByLabelText('Role'), 'Guest');
    expect(screen.getByRole('button', { name: 'Guest, Ask models: allowed' })).toBeInTheDocument();
  });
});
