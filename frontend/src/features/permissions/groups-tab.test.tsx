import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { OrgRole } from '@parley/contracts/permissions';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleGroup, sampleIds, sampleMember, sampleRoles } from '../../testing/samples.ts';
import { PermissionsPage } from './permissions-page.tsx';

const inIt = sampleMember({ groupIds: [sampleIds.group] });
const other = sampleMember({ name: 'Samir Deltouf', userId: sampleIds.user, version: 5 });

function show(handlers: Handlers, { role = 'owner', search = '' }: { role?: OrgRole; search?: string } = {}) {
  const api = installFakeApi({
    'GET /api/org/roles': () => ({ items: sampleRoles() }),
    'GET /api/org/groups': () => ({ items: [sampleGroup] }),
    'GET /api/org/members': ({ query }) => ({ items: query.text ? [inIt, other] : [inIt], nextCursor: null }),
    ...handlers,
  });
  renderInOrganisation(<PermissionsPage />, {
    path: '/:locale/settings/permissions',
    at: `/en/settings/permissions?tab=groups${search}`,
    role,
  });
  return api;
}

describe('groups', () => {
  it('are listed with their counts, and open beside the list', async () => {
    show({});
    await userEvent.click(await screen.findByRole('button', { name: 'Service desk' }));
    const panel = screen.getByRole('complementary', { name: 'Service desk' });
    expect(await within(panel).findByText('Kei Amasato')).toBeInTheDocument();
    expect(within(panel).getByRole('link', { name: 'Show in the list of members' })).toHaveAttribute(
      'href',
      `/en/settings/org_admin/${sampleIds.org}?tab=members&group=${sampleIds.group}`,
    );
  });

  it('say what they are for while there are none, and what failed', async () => {
    show({ 'GET /api/org/groups': () => ({ items: [] }) });
    expect(await screen.findByText(/It gives no rights/)).toBeInTheDocument();
    show({ 'GET /api/org/groups': () => ({ items: [] }) }, { role: 'analyst' });
    expect(await screen.findByText(/An owner or admin can add some/)).toBeInTheDocument();
    show({ 'GET /api/org/groups': () => refuse('platform.internal') });
    expect(await screen.findByText('The groups could not be loaded')).toBeInTheDocument();
  });

  it('are added by name; one that is taken is said at the field', async () => {
    const names: string[] = [];
    show({
      'POST /api/org/groups': ({ body }) => {
        names.push(body.name);
        return names.length === 1 ? refuse('org.name-taken') : { ...sampleGroup, id: body.id, name: body.name };
      },
    });
    await userEvent.type(await screen.findByLabelText('Name of a new group'), 'Service desk{Enter}');
    expect(await screen.findByText(/^There is one of this name already/)).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText('Name of a new group'), ' 2{Enter}');
    expect(names).toEqual(['Service desk', 'Service desk 2']);
  });

  it('are renamed in place and say when that is refused', async () => {
    const api = show({ 'PATCH /api/org/groups/:groupId': () => refuse('platform.conflict') });
    await userEvent.click(await screen.findByRole('button', { name: 'Rename Service desk' }));
    await userEvent.keyboard('Desk{Enter}');
    expect(await screen.findByText(/^Somebody changed this meanwhile/)).toBeInTheDocument();
    expect(api.calls.find(({ route }) => route.startsWith('PATCH'))?.body).toEqual({ version: 2, name: 'Desk' });
  });

  it('are deleted after a question that names the group and how many leave it', async () => {
    const api = show({ 'DELETE /api/org/groups/:groupId': () => undefined });
    await userEvent.click(await screen.findByRole('button', { name: 'Delete Service desk' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete Service desk?' });
    expect(within(dialog).getByText(/^1 person leaves the group/)).toBeInTheDocument();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete group' }));
    expect(api.calls.some(({ route }) => route === 'DELETE /api/org/groups/:groupId')).toBe(true);
  });

  it('can only be read without the right to change them', async () => {
    show({}, { role: 'analyst', search: `&group=${sampleIds.group}` });
    expect(await screen.findByText('Kei Amasato')).toBeInTheDocument();
    for (const name of ['Rename Service desk', 'Delete Service desk', 'Take Kei Amasato out of the group', 'Add group'])
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
    expect(screen.queryByLabelText('Add a person')).not.toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Show in the list of members' })).not.toBeInTheDocument();
  });
});

describe('the members of a group', () => {
  const bodies: unknown[] = [];
  const moving: Handlers = {
    'PUT /api/org/members/:userId/groups': ({ body }) => {
      bodies.push(body);
      return { ...inIt, groupIds: body.groupIds, version: body.version + 1 };
    },
  };

  it('are found by name and added, but for those who are in it', async () => {
    bodies.length = 0;
    show(moving, { search: `&group=${sampleIds.group}` });
    await userEvent.type(await screen.findByLabelText('Add a person'), 'a');
    const found = await screen.findByRole('button', { name: /Samir Deltouf/ });
    expect(screen.queryByRole('button', { name: /^Kei Amasato/ })).not.toBeInTheDocument();
    await userEvent.click(found);
    expect(bodies).toEqual([{ version: 5, groupIds: [sampleIds.group] }]);
  });

  it('are taken out at once, which can be undone', async () => {
    bodies.length = 0;
    show(moving, { search: `&group=${sampleIds.group}` });
    await userEvent.click(await screen.findByRole('button', { name: 'Take Kei Amasato out of the group' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(bodies).toEqual([
      { version: 3, groupIds: [] },
      { version: 4, groupIds: [sampleIds.group] },
    ]);
  });
});
