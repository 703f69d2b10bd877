import { useNavigate } from 'react-router-dom';
import { lazyPart } from '../lib/lazy-part.tsx';
import { useLocale, usePaths } from '../lib/paths.ts';
import { loadSession, useSession } from '../domain/session/session.ts';
import { loadSignedIn } from './load-signed-in.ts';
import { Texts } from './locale-gate.tsx';
import { textsOf } from './page-texts.ts';
import { proofKey } from './proof-key.ts';
import { useKeptToken } from './token-of-link.ts';

const ProveAddress = lazyPart(async () => (await import('../features/recovery/prove-address.tsx')).ProveAddress);
const texts = textsOf(['first', 'recovery']);

/** Where the mail leads that asks whether an address is whose account it is: one has to be signed in to that account. */
export function ProveAddressRoute() {
  const locale = useLocale();
  const paths = usePaths();
  const navigate = useNavigate();
  const session = useSession();
  const [token, forget] = useKeptToken(proofKey);
  if (session.status === 'unknown') return null;
  const me = session.status === 'signed-in' ? session.me : null;
  return (
    <Texts locale={locale} load={texts}>
      <ProveAddress
        token={token}
        me={me}
        signInPath={`${paths.root}?next=${encodeURIComponent(`/${locale}/register`)}`}
        onOver={forget}
        onOpen={() => {
          loadSession().then(
            () => navigate(paths.to('settings/orgs'), { replace: true }),
            () => undefined,
          );
          loadSignedIn().catch(() => undefined);
        }}
      />
    </Texts>
  );
}
