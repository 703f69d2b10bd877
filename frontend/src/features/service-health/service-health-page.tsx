import type { OrgId } from '@parley/protocol';
import { useParams } from 'react-router-dom';
import { useText } from '../../lib/text.ts';
import { FailureView } from '../../ui/failure-view.tsx';
import { LivePage } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/state-view.tsx';
import { DeadLetters } from './components/dead-letters.tsx';
import { HealthStrip } from './components/health-strip.tsx';
import { JobsTable } from './components/jobs-table.tsx';
import { OrganisationChoice } from './components/organisation-choice.tsx';
import { ReadersTable } from './components/readers-table.tsx';
import { StandNote } from './components/stand-note.tsx';
import { useServiceHealth } from './use-service-health.ts';

/** How the services do for one organisation, for platform admins: counts and times only. */
export function ServiceHealthPage() {
  const { t } = useText();
  const orgId = useParams()['orgId'] as OrgId;
  const { data, error, refetch } = useServiceHealth(orgId);
  const title = t({ id: 'health.page.title', defaultMessage: 'Service health' });
  return (
    <LivePage title={title} actions={<OrganisationChoice orgId={orgId} name={data?.organisation.name} />}>
      {data ? (
        <>
          <HealthStrip health={data} />
          <StandNote health={data} isOld={error !== null} />
          <ReadersTable services={data.services} />
          <JobsTable key={`jobs ${orgId}`} health={data} />
          <DeadLetters key={orgId} health={data} />
        </>
      ) : error ? (
        <FailureView
          title={t({ id: 'health.page.failed', defaultMessage: 'The service health could not be loaded' })}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <SkeletonRows label={t({ id: 'health.page.loading', defaultMessage: 'The service health is loading' })} />
      )}
    </LivePage>
  );
}
