import type { Me, Organisation } from '@parley/contracts';
import { useNavigate } from 'react-router-dom';
import { takeOrganisations } from '../domain/organisation/early.ts';
import { api } from '../lib/http.ts';
import { lazyPart } from '../lib/lazy-part.tsx';
import { useLocale, usePaths } from '../lib/paths.ts';
import { setSession, useSession } from '../domain/session/session.ts';
import { loadSignedIn } from './load-signed-in.ts';
import { Texts } from './locale-gate.tsx';
import { textsOf } from './page-texts.ts';
import { useKeptToken } from './token-of-link.ts';

const InvitationPage = lazyPart(
  async () => (await import('../features/invitation/invitation-page.tsx')).InvitationPage,
);
const RegisterForm = lazyPart(async () => (await import('../features/register/register-form.tsx')).RegisterForm);
const texts = textsOf(['first', 'invitation']);

/** Where an invitation leads: into the organisation, whoever one is already. */
export function InvitationRoute() {
  const locale = useLocale();
  const paths = usePaths();
  const navigate = useNavigate();
  const session = useSession();
  const [token, forget] = useKeptToken('parley.invitation');
  const here = `/${locale}/invitation`;
  const enter = (path: string) => {
    forget();
    loadSignedIn().catch(() => undefined);
    void navigate(path, { replace: true });
  };
  const joined = ({ slug }: Pick<Organisation, 'slug'>) => {
    // The list that was asked for before does not have it.
    takeOrganisations().catch(() => undefined);
    enter(`/${locale}/chat?org=${slug}`);
  };
  const registered = async (me: Me) => {
    const organisation = await api('POST /api/org/my-invitations/accept', { body: { token }, retries: 2 }).catch(
      () => null,
    );
    setSession({ status: 'signed-in', me });
    if (organisation) joined(organisation);
  };
  const leave = async () => {
    await api('DELETE /api/auth/sessions/current').catch(() => undefined);
    setSession({ status: 'visitor', hasLeft: true });
  };
  if (session.status === 'unknown') return null;
  const me = session.status === 'signed-in' ? session.me : null;
  return (
    <Texts locale={locale} load={texts}>
      <InvitationPage
        key={`${token} ${me?.id}`}
        token={token}
        me={me}
        form={({ email, submit }) => (
          <RegisterForm
            setupToken={null}
            invitation={{ token, email }}
            submit={submit}
            onRegistered={(person) => void registered(person)}
          />
        )}
        signInPath={`${paths.root}?next=${encodeURIComponent(here)}`}
        forgotPath={paths.to('forgot-password')}
        onJoined={joined}
        onOpen={() => enter(paths.to('chat'))}
        onSwitch={() => void leave()}
      />
    </Texts>
  );
}
