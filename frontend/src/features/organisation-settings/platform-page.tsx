import { Button } from '@mantine/core';
import type { Organisation } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { ArrowLeft } from 'lucide-react';
import { usePaths } from '../../lib/paths.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { OrganisationMark } from '../../domain/picture/avatar.tsx';
import { IconLink } from '../../ui/icon-button.tsx';
import { LivePage } from '../../ui/page.tsx';
import { PlatformContent } from './platform/platform-content.tsx';
import { SuspendButton } from './platform/suspend-button.tsx';
import { usePlatformOrganisation } from './platform/use-platform-organisation.ts';

/** An organisation in which this tab does not work, as platform admins see it. */
export function PlatformPage({ orgId, own }: { orgId: OrgId; own: Organisation | undefined }) {
  const { t } = useText();
  const { switchTo } = useTab();
  const paths = usePaths();
  const query = usePlatformOrganisation(orgId);
  const organisation = query.data;
  const title = t({ id: 'organisation.page.title', defaultMessage: 'Organisation settings' });
  return (
    <LivePage
      title={organisation ? <bdi>{organisation.name}</bdi> : title}
      documentTitle={organisation?.name ?? title}
      before={
        <>
          <IconLink
            icon={ArrowLeft}
            isMirrored
            label={t({ id: 'organisation.platform.back', defaultMessage: 'All organisations' })}
            to={paths.to('settings/org_admin')}
          />
          {organisation ? <OrganisationMark name={organisation.name} size={28} /> : null}
        </>
      }
      actions={
        <>
          {own ? (
            <Button variant="default" onClick={() => switchTo(own)}>
              {t({ id: 'organisation.platform.console', defaultMessage: 'Open its settings' })}
            </Button>
          ) : null}
          {organisation ? <SuspendButton organisation={organisation} /> : null}
        </>
      }
    >
      <PlatformContent query={query} />
    </LivePage>
  );
}
