import { Link } from 'react-router-dom';
import { usePaths } from '../../lib/paths.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';

/** For platform admins: the way to where it says how a mail server is set up. Others see nothing. */
export function MailServerLink() {
  const { t } = useText();
  const { mail } = usePaths();
  if (useTab().me.platformRole !== 'admin') return null;
  return (
    <Link className="p-link" to={mail}>
      {t({ id: 'mailServer.link.setUp', defaultMessage: 'Set up an email server' })}
    </Link>
  );
}
