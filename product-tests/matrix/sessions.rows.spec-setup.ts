import { sessionRoutes } from '@parley/contracts';
import { ParleyClient } from '@parley/testing/client';
import { password } from '@parley/embedded/test-parley';
import { rowsFor, type World } from './rows.spec-setup.ts';

let known: Promise<string> | undefined;
let sessionId = '';

/** Signs the owner in from another browser; once, for signing in is limited. Ended or not, it is the owner's alone. */
async function signInElsewhere({ owner }: World): Promise<string> {
  const elsewhere = new ParleyClient(owner.url);
  await elsewhere.signIn(owner.me?.email ?? '', password);
  const { items } = await elsewhere.call('GET /api/auth/sessions');
  sessionId = items.find(({ isThis }) => isThis)!.id;
  return sessionId;
}
const sessionOf = (world: World): Promise<string> => (known ??= signInElsewhere(world));

export const sessionRows = rowsFor(sessionRoutes, {
  listSessions: {
    request: async (world) => {
      await sessionOf(world);
      return {};
    },
    lists: { ids: () => [sessionId], whose: 'owner' },
  },
  endOtherSession: { things: 'owner', request: async (world) => ({ params: { sessionId: await sessionOf(world) } }) },
  getConfirmation: { request: () => ({}) },
  confirmSession: { request: () => ({ body: { password } }) },
  endOtherSessions: { request: () => ({}), endsSession: true },
});
