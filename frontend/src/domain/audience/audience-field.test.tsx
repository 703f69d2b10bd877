import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Audience } from '@parley/contracts';
import type { OrgRole } from '@parley/contracts/permissions';
import { useState } from 'react';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleGroup, sampleMember, sampleRoles } from '../../testing/samples.ts';
import { AudienceField } from './audience-field.tsx';

const kei = sampleMember();

function show(first: Audience, { role = 'owner', locked = null }: { role?: OrgRole; locked?: string | null } = {}) {
  const seen: Audience[] = [];
  const api = installFakeApi({
    'GET /api/org/roles': () => ({ items: sampleRoles() }),
    'GET /api/org/groups': () => ({ items: [sampleGroup] }),
    'GET /api/org/members': () => ({ items: [kei], nextCursor: null }),
  });
  function Field() {
    const [value, setValue] = useState(first);
    const change = (next: Audience) => {
      seen.push(next);
      setValue(next);
    };
    return <AudienceField label="Who may use it" value={value} onChange={change} locked={locked} />;
  }
  renderInOrganisation(<Field />, { path: '/:locale', at: '/en', role });
  return { api, seen };
}

describe('an audience', () => {
  it('is everybody, or some: roles, groups and people are added by name and taken out', async () => {
    const { seen } = show({ kind: 'everybody' });
    await userEvent.click(screen.getByRole('radio', { name: /^Only some/ }));
    expect(screen.getByText(/Nobody is chosen yet/)).toBeInTheDocument();
    const search = screen.getByLabelText('Name of a role, a group or a person');
    await userEvent.type(search, 'service');
    await userEvent.click(await screen.findByRole('button', { name: /Service desk/ }));
    await userEvent.type(search, 'kei');
    await userEvent.click(await screen.findByRole('button', { name: /^Kei Amasato/ }));
    await userEvent.type(search, 'admin');
    await userEvent.click(await screen.findByRole('button', { name: /^Admin/ }));
    const some = { kind: 'some', roles: ['admin'], groupIds: [sampleGroup.id], userIds: [kei.userId] };
    expect(seen.at(-1)).toEqual(some);
    await userEvent.click(screen.getByRole('button', { name: 'Take out Service desk' }));
    expect(seen.at(-1)).toEqual({ ...some, groupIds: [] });
  });

  it('comes back as it was where one looks at everybody and returns', async () => {
    const { seen } = show({ kind: 'some', roles: ['admin'], groupIds: [], userIds: [] });
    await userEvent.click(screen.getByRole('radio', { name: /^Everybody/ }));
    await userEvent.click(screen.getByRole('radio', { name: /^Only some/ }));
    expect(seen).toEqual([{ kind: 'everybody' }, { kind: 'some', roles: ['admin'], groupIds: [], userIds: [] }]);
  });

  it('names people, and says who is not here any more', async () => {
    const gone = sampleMember({ userId: `${kei.userId.slice(0, -1)}9` as typeof kei.userId });
    show({ kind: 'some', roles: [], groupIds: [], userIds: [kei.userId, gone.userId] });
    const list = await screen.findByRole('list');
    expect(await within(list).findByText('Kei Amasato')).toBeInTheDocument();
    expect(within(list).getByText('Not here any more')).toBeInTheDocument();
  });

  it('cannot be changed where that is said', () => {
    show({ kind: 'everybody' }, { locked: 'The default chatbot is for everybody.' });
    expect(screen.getByRole('radio', { name: /^Only some/ })).toBeDisabled();
    expect(screen.getByText('The default chatbot is for everybody.')).toBeInTheDocument();
  });
});
