import type { Me } from '@parley/contracts';
import type { VisitorPage } from '@parley/contracts/visitor-pages';
import { useState, type ComponentType } from 'react';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { lazyPart } from '../lib/lazy-part.tsx';
import { setSession, useSession } from '../domain/session/session.ts';
import { readStored } from '../lib/stored.ts';
import { loadSignedIn } from './load-signed-in.ts';
import { ownAddress } from './own-address.ts';
import { proofKey } from './proof-key.ts';
import { usePaths } from '../lib/paths.ts';

const SignInPage = lazyPart(async () => (await import('../features/sign-in/sign-in-page.tsx')).SignInPage);
const EndedNotice = lazyPart(async () => (await import('./ended-notice.tsx')).EndedNotice);
const RecoveryRoute = lazyPart(async () => (await import('./recovery-route.tsx')).RecoveryRoute);
const InvitationRoute = lazyPart(async () => (await import('./invitation-route.tsx')).InvitationRoute);
const ProveAddressRoute = lazyPart(async () => (await import('./prove-address-route.tsx')).ProveAddressRoute);
const RegisterPage = lazyPart(async () => (await import('../features/register/register-page.tsx')).RegisterPage);

/** By the feature of the page; one that the table does not name, or that is missing here, does not compile. */
export const visitorRoutes: Record<VisitorPage['feature'], ComponentType> = {
  'sign-in': SignInRoute,
  register: RegisterRoute,
  recovery: RecoveryRoute,
  invitation: InvitationRoute,
};

/** Sign-in for visitors, else on to the chat. */
function SignInRoute() {
  const session = useSession();
  const { target, enter } = useEntry();
  const paths = usePaths();
  if (session.status === 'unknown') return null;
  if (session.status === 'signed-in') return <Navigate replace to={target} />;
  const wasSent = target !== paths.to('chat');
  const ended = session.status === 'visitor' ? session.ended : undefined;
  const notice = ended ? <EndedNotice ended={ended} /> : null;
  return (
    <SignInPage
      registerPath={paths.register}
      forgotPath={paths.to('forgot-password')}
      onSignedIn={enter}
      wasSent={wasSent}
      notice={notice}
    />
  );
}

/** The link that proves an address leads here too: what it carries stands behind `#`. */
function RegisterRoute() {
  const session = useSession();
  const { hash } = useLocation();
  const [isProof] = useState(() => hash !== '' || readStored('session', proofKey) !== null);
  const { target, enter } = useEntry();
  const paths = usePaths();
  const [search] = useSearchParams();
  if (isProof) return <ProveAddressRoute />;
  if (session.status === 'unknown') return null;
  if (session.status === 'signed-in') return <Navigate replace to={target} />;
  return <RegisterPage signInPath={paths.root} setupToken={search.get('setup')} onRegistered={enter} />;
}

/** Where to go once signed in: back to the address that asked for it, which is always one of our own. */
function useEntry() {
  const navigate = useNavigate();
  const paths = usePaths();
  const [search] = useSearchParams();
  const next = search.get('next');
  const target = ownAddress(next) ?? paths.to('chat');
  const enter = (me: Me) => {
    loadSignedIn().catch(() => undefined);
    setSession({ status: 'signed-in', me });
    void navigate(target, { replace: true });
  };
  return { target, enter };
}
