import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { usePaths } from '../../../lib/paths.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';

/** For platform admins: the way to where prices are set. Others see nothing. */
export function SetPrices({ isFirst = false }: { isFirst?: boolean }) {
  const { t } = useText();
  const { prices } = usePaths();
  if (useTab().me.platformRole !== 'admin') return null;
  const words = t({ id: 'billing.prices.set', defaultMessage: 'Set prices' });
  if (!isFirst)
    return (
      <Link className="p-link" to={prices}>
        {words}
      </Link>
    );
  return (
    <Button component={Link} to={prices}>
      {words}
    </Button>
  );
}
