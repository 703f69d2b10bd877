import { Button } from '@mantine/core';
import { useState, type ComponentType } from 'react';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useMaySeeTab } from '../../lib/page-tab.ts';
import { useRight } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { useWaitingBudgetRequests } from '../../domain/budget/waiting.ts';
import { NoPermissionView } from '../../ui/failure-view.tsx';
import { LivePage } from '../../ui/page.tsx';
import { PageTabs, useCurrentTab } from '../../ui/page-tabs.tsx';
import { SideBySide } from '../../ui/side-panel.tsx';
import { useActionOff } from '../../ui/stale.tsx';
import { billingTabs } from './billing-tabs.ts';
import classes from './parts/billing.module.css';
import { BudgetsTab } from './budgets/budgets-tab.tsx';
import { useSeatOffer } from './parts/seat-facts.tsx';
import { SetBudget } from './budgets/set-budget.tsx';
import { LedgerTab } from './ledger/ledger-tab.tsx';
import { OrdersTab } from './orders/orders-tab.tsx';
import { OverviewTab } from './overview/overview-tab.tsx';
import { PricesTab } from './prices/prices-tab.tsx';

const OrderPanel = lazyPart(async () => (await import('./orders/order-panel.tsx')).OrderPanel);
const BudgetPanel = lazyPart<object>(async () => (await import('./budgets/budget-panel.tsx')).BudgetPanel);

type Part = {
  readonly part: ComponentType;
  /** Beside the tab, while the address asks for it. */
  readonly panel?: ComponentType;
};

const parts: Record<(typeof billingTabs)[number]['key'], Part> = {
  overview: { part: OverviewTab },
  ledger: { part: LedgerTab },
  budgets: { part: BudgetsTab, panel: BudgetPanel },
  prices: { part: PricesTab },
  orders: { part: OrdersTab },
};

/** What the organisation spends, may spend and orders. A tab is one entry. */
export function BillingPage() {
  const { t } = useText();
  const [isOrdering, setOrdering] = useState(false);
  const waiting = useWaitingBudgetRequests();
  const shown = billingTabs.filter(useMaySeeTab());
  const current = useCurrentTab(shown);
  const title = t({ id: 'billing.page.title', defaultMessage: 'Billing' });
  if (!current) return <NoPermissionView />;
  const open = parts[current];
  const tabs = shown.map(({ key, name }) => ({ key, label: t(name), ...(key === 'budgets' && { count: waiting }) }));
  const ordering = isOrdering ? <OrderPanel onClose={() => setOrdering(false)} /> : null;
  return (
    <LivePage
      title={title}
      actions={
        <>
          {open.panel ? null : <OrderSeats onOrder={() => setOrdering(true)} />}
          <SetBudget isQuiet={isOrdering && !open.panel} />
        </>
      }
    >
      <PageTabs label={title} tabs={tabs} current={current} />
      <SideBySide panel={open.panel ? <open.panel /> : ordering}>
        <div className={classes.scroll}>
          <open.part />
        </div>
      </SideBySide>
    </LivePage>
  );
}

/** Where seats are sold and there is a limit of them; elsewhere there is nothing to order. */
function OrderSeats({ onOrder }: { onOrder: () => void }) {
  const { t } = useText();
  const mayOrder = useRight('billing:manage');
  const off = useActionOff();
  const { data: offer } = useSeatOffer(mayOrder);
  if (!mayOrder || !offer?.price || offer.seats.limit === null) return null;
  return (
    <Button variant="default" onClick={onOrder} {...off}>
      {t({ id: 'billing.order.open', defaultMessage: 'Order seats' })}
    </Button>
  );
}
