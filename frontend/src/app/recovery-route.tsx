import type { Me } from '@parley/contracts';
import { useLocation, useNavigate } from 'react-router-dom';
import { api } from '../lib/http.ts';
import { lazyPart } from '../lib/lazy-part.tsx';
import { belowLocale, useLocale, usePaths } from '../lib/paths.ts';
import { setSession } from '../domain/session/session.ts';
import { loadSignedIn } from './load-signed-in.ts';
import { Texts } from './locale-gate.tsx';
import { textsOf } from './page-texts.ts';
import { useTokenOfLink } from './token-of-link.ts';

const RecoveryPage = lazyPart(async () => (await import('../features/recovery/recovery-page.tsx')).RecoveryPage);
const texts = textsOf(['first', 'recovery']);

/**
 * For whoever cannot sign in; who is signed in may have forgotten the password all the same. With texts of its own, for
 * most visitors never come here.
 */
export function RecoveryRoute() {
  const paths = usePaths();
  const navigate = useNavigate();
  const token = useTokenOfLink();
  const isLink = belowLocale(useLocation().pathname).startsWith('reset-password');
  const open = () => {
    loadSignedIn().catch(() => undefined);
    const enter = (me: Me) => {
      setSession({ status: 'signed-in', me });
      void navigate(paths.to('chat'), { replace: true });
    };
    // The password is set in any case; who cannot be shown in signs in with it.
    api('GET /api/auth/me').then(enter, () => navigate(paths.root, { replace: true }));
  };
  return (
    <Texts locale={useLocale()} load={texts}>
      <RecoveryPage
        token={isLink ? token : null}
        forgotPath={paths.to('forgot-password')}
        signInPath={paths.root}
        onOpen={open}
      />
    </Texts>
  );
}
