import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useStaleSince } from '../../../lib/live.tsx';
import { usePaths } from '../../../lib/paths.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';

/** Explains a wait only after this time, because most answers wait less. */
const quietMs = 5_000;

/**
 * Says in an organisation that isn't approved, after five seconds, why an answer can wait, and where to request
 * approval.
 */
export function QueuedNote({ since }: { since: string }) {
  const hasWaited = useHasWaited(since);
  const isStale = useStaleSince() !== null;
  const isApproved = useTab().organisation.approval === 'approved';
  if (isApproved || isStale || !hasWaited) return null;
  return (
    <LateTexts part="failed">
      <Words />
    </LateTexts>
  );
}

function Words() {
  const { t } = useText();
  const { id: orgId, approval } = useTab().organisation;
  const mayAsk = useRight('org:update');
  const to = usePaths().to('settings/org_admin/:orgId', { orgId });
  return (
    <p className="p-sm p-quiet">
      {t({
        id: 'failed.queued.about',
        defaultMessage:
          'This organisation isn’t approved and shares its turns with all others that aren’t. Answers can start later.',
      })}{' '}
      {!mayAsk ? null : approval === 'requested' ? (
        t({ id: 'failed.queued.asked', defaultMessage: 'Approval is requested.' })
      ) : (
        <Link className="p-link" to={to}>
          {t({ id: 'failed.queued.ask', defaultMessage: 'Ask for approval' })}
        </Link>
      )}
    </p>
  );
}

/**
 * Returns true once the answer has waited for `quietMs`. Takes at most that long from now, even if the clocks of server
 * and device differ.
 */
function useHasWaited(since: string): boolean {
  const [hasWaited, setHasWaited] = useState(false);
  useEffect(() => {
    const leftMs = Math.min(quietMs, Date.parse(since) + quietMs - Date.now());
    const timer = setTimeout(() => setHasWaited(true), Math.max(0, leftMs));
    return () => clearTimeout(timer);
  }, [since]);
  return hasWaited;
}
