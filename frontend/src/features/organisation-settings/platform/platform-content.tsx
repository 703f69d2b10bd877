import { isProblem } from '../../../lib/http.ts';
import { useText } from '../../../lib/text.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import type { usePlatformOrganisation } from './use-platform-organisation.ts';
import { PlatformOverview } from './platform-overview.tsx';
import { UnknownOrganisation } from './unknown-organisation.tsx';

/** Loading, unknown, failed, or the organisation as platform admins see it. */
export function PlatformContent({ query }: { query: ReturnType<typeof usePlatformOrganisation> }) {
  const { t } = useText();
  const { data, error, refetch } = query;
  if (data) return <PlatformOverview organisation={data} />;
  if (isProblem(error, 'org.organisation-not-found') || isProblem(error, 'platform.invalid-request'))
    return <UnknownOrganisation />;
  if (error)
    return (
      <FailureView
        title={t({ id: 'organisation.platform.failed', defaultMessage: 'The organisation could not be loaded' })}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  return (
    <SkeletonRows label={t({ id: 'organisation.platform.loading', defaultMessage: 'The organisation is loading' })} />
  );
}
