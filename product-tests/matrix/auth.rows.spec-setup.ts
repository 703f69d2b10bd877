import { authRoutes } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { password } from '@parley/embedded/test-parley';
import { plain, rowsFor } from './rows.spec-setup.ts';

const person = () => ({
  id: newId('user'),
  email: `row-${newId('user').toLowerCase()}@example.com`,
  name: 'Row',
  password,
  locale: 'en',
});

export const authRows = rowsFor(authRoutes, {
  getRegistration: plain,
  register: { request: () => ({ body: person() }), repeated: 409, endsSession: true },
  signIn: { request: ({ owner }) => ({ body: { email: owner.me?.email, password } }) },
  signOut: { ...plain, repeated: 401, endsSession: true },
  signOutEverywhere: { ...plain, repeated: 401, endsSession: true },
  getMe: { ...plain, lists: { ids: ({ owner }) => [owner.me?.id ?? ''], whose: 'owner' } },
  updateMe: {
    repeated: 409,
    request: async ({ owner }) => {
      const { version } = await owner.call('GET /api/auth/me');
      return { body: { version, locale: 'en' } };
    },
  },
  chooseDefaultOrganisation: { request: ({ owner }) => ({ body: { orgId: owner.orgId } }) },
});
