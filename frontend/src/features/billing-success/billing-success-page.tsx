import type { OrderId } from '@parley/contracts';
import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { api, isProblem } from '../../lib/http.ts';
import { usePaths } from '../../lib/paths.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { FailureView } from '../../ui/failure-view.tsx';
import { LivePage } from '../../ui/page.tsx';
import { SkeletonRows, StateView } from '../../ui/state-view.tsx';
import { OrderCard } from './order-card.tsx';

/**
 * The page of an order, to which one comes after ordering. It says what the server says, whoever opens it and however
 * often: nothing happens by opening it.
 */
export function BillingSuccessPage() {
  const { t } = useText();
  const orderId = useSearchParams()[0].get('order') ?? '';
  const title = t({ id: 'billing.success.page', defaultMessage: 'Your order' });
  return (
    <LivePage title={title}>
      <Content key={orderId} orderId={orderId} />
    </LivePage>
  );
}

function Content({ orderId }: { orderId: string }) {
  const { t } = useText();
  const paths = usePaths();
  const orgId = useTab().organisation.id;
  const { data, error, refetch } = useQuery({
    queryKey: resourceKey('orders', orgId, orderId),
    enabled: orderId !== '',
    queryFn: ({ signal }) =>
      api('GET /api/billing/orders/:orderId', { orgId, params: { orderId: orderId as OrderId }, signal }),
  });
  if (orderId === '' || isProblem(error, 'billing.order-not-found') || isProblem(error, 'platform.invalid-request'))
    return (
      <StateView
        icon={SearchX}
        title={t({ id: 'billing.success.unknown', defaultMessage: 'Order not found' })}
        actions={
          <Link className="p-link p-sm" to={paths.to('settings/billing')}>
            {t({ id: 'billing.success.toBilling', defaultMessage: 'Go to billing' })}
          </Link>
        }
      >
        {t({
          id: 'billing.success.unknownText',
          defaultMessage: 'Look whether the address is complete, or whether it belongs to another organisation.',
        })}
      </StateView>
    );
  if (data) return <OrderCard order={data} />;
  if (error)
    return (
      <FailureView
        title={t({ id: 'billing.success.failed', defaultMessage: 'The order could not be loaded' })}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  return <SkeletonRows label={t({ id: 'billing.success.loading', defaultMessage: 'The order is loading' })} />;
}
