import { Button } from '@mantine/core';
import { Building2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { usePaths } from '../../../lib/paths.ts';
import { useText } from '../../../lib/text.ts';
import { StateView } from '../../../ui/state-view.tsx';

/** None that there is, or none of one's own: which of both is nobody's business. */
export function UnknownOrganisation() {
  const { t } = useText();
  const paths = usePaths();
  const action = (
    <Button size="xs" component={Link} to={paths.to('settings/orgs')}>
      {t({ id: 'organisation.unknown.list', defaultMessage: 'Show your organisations' })}
    </Button>
  );
  return (
    <StateView
      icon={Building2}
      title={t({ id: 'organisation.unknown.title', defaultMessage: 'Organisation not found among yours' })}
      actions={action}
    >
      {t({ id: 'organisation.unknown.text', defaultMessage: 'It does not exist, or you are not a member of it.' })}
    </StateView>
  );
}
