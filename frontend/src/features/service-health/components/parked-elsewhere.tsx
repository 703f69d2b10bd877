import type { ServiceHealth } from '@parley/contracts';
import { Link } from 'react-router-dom';
import { useFormats } from '../../../lib/formats.ts';
import { usePaths } from '../../../lib/paths.ts';
import { useText } from '../../../lib/text.ts';
import classes from '../service-health.module.css';

/** Links to other organisations that have parked jobs. */
export function ParkedElsewhere({ organisations }: { organisations: ServiceHealth['parkedElsewhere'] }) {
  const { t } = useText();
  const { number } = useFormats();
  const paths = usePaths();
  if (organisations.length === 0) return null;
  const title = t({ id: 'health.jobs.elsewhere', defaultMessage: 'Parked jobs in other organisations' });
  return (
    <div className={classes.elsewhere}>
      <span className="p-meta">{title}</span>
      <ul aria-label={title}>
        {organisations.map(({ id, name, count }) => (
          <li key={id}>
            <Link className="p-link" to={paths.to('settings/org_admin/monitoring/:orgId', { orgId: id })}>
              <bdi>{name}</bdi>
            </Link>{' '}
            <span className="p-meta">{number(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
