import { Button } from '@mantine/core';
import type { Suspension } from '@parley/contracts';
import { CirclePause } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useFormats } from '../lib/formats.ts';
import { LateTexts } from '../lib/late-texts.tsx';
import { usePaths } from '../lib/paths.ts';
import { useTab } from '../lib/tab-organisation.tsx';
import { useText } from '../lib/text.ts';
import { OrganisationMark } from '../domain/picture/avatar.tsx';
import { Page } from '../ui/page.tsx';
import { StateView } from '../ui/state-view.tsx';

/** In place of everything in an organisation that is suspended: why, and whom to ask. It ends by itself. */
export const SuspendedPage = (props: { suspension: Suspension }) => (
  <LateTexts part="ended">
    <Suspended {...props} />
  </LateTexts>
);

function Suspended({ suspension: { reason, by, at } }: { suspension: Suspension }) {
  const { t, rich } = useText();
  const { exact } = useFormats();
  const paths = usePaths();
  const { me, organisation } = useTab();
  const { id: orgId, name } = organisation;
  const actions = (
    <>
      {me.platformRole === 'admin' ? (
        <Button size="xs" component={Link} to={paths.to('settings/org_admin/:orgId', { orgId })}>
          {t({ id: 'ended.suspended.admin', defaultMessage: 'Open it as platform admin' })}
        </Button>
      ) : null}
      <Button size="xs" variant="default" component={Link} to={paths.to('settings/orgs')}>
        {t({ id: 'shell.entry.organisations', defaultMessage: 'Your organisations' })}
      </Button>
    </>
  );
  return (
    <Page
      title={<bdi>{name}</bdi>}
      documentTitle={name}
      before={<OrganisationMark name={organisation.name} size={28} />}
    >
      <StateView
        icon={CirclePause}
        title={t({ id: 'ended.suspended.title', defaultMessage: '{name} is suspended' }, { name })}
        actions={actions}
        isAlert
      >
        <p>
          {rich(
            {
              id: 'ended.suspended.why',
              defaultMessage: '{by}, who runs this Parley, gave this reason on {time}: {reason}',
            },
            {
              by: <bdi key="by">{by}</bdi>,
              time: exact(at),
              reason: (
                <b key="reason" dir="auto">
                  {reason}
                </b>
              ),
            },
          )}
        </p>
        <p>
          {t(
            {
              id: 'ended.suspended.what',
              defaultMessage:
                'Nobody can work here until it is resumed. Nothing is lost. Ask {by} about it; this page goes on by itself.',
            },
            { by },
          )}
        </p>
      </StateView>
    </Page>
  );
}
