import { ExternalLink } from 'lucide-react';
import { useText } from '../../lib/text.ts';
import classes from './viewer.module.css';

/** The page that a document was read at, in a tab of its own that learns nothing of this one. */
export function WebLink({ address }: { address: string }) {
  const { t } = useText();
  const { host, pathname, search } = new URL(address);
  return (
    <a
      className={classes.web}
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
      title={t({ id: 'viewer.web.open', defaultMessage: 'Open web page in a new tab' })}
    >
      <bdi dir="ltr">{`${host}${pathname === '/' ? '' : pathname}${search}`}</bdi>
      <ExternalLink size={12} />
    </a>
  );
}
