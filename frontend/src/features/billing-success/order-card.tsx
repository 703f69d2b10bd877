import { Button } from '@mantine/core';
import type { Order } from '@parley/contracts';
import { CircleAlert, CircleCheck, Check, Hourglass, LoaderCircle, Undo2, type LucideIcon } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { usePaths } from '../../lib/paths.ts';
import { useText } from '../../lib/text.ts';
import classes from './billing-success.module.css';
import { OrderFacts } from './order-facts.tsx';
import { OrderSteps } from './order-steps.tsx';
import { useCardWords, type CardKind } from './use-card-words.ts';

/** After so long it takes longer than one would wait in front of it. */
const patienceMs = 30_000;

const icons: Record<CardKind, LucideIcon> = {
  waiting: LoaderCircle,
  long: Hourglass,
  confirmed: CircleCheck,
  applied: Check,
  refused: CircleAlert,
  withdrawn: Undo2,
};

/** Confirmed and with its seats: until then it waits, also while only one of both is there. */
const isDone = ({ state, raised }: Order): boolean => state === 'confirmed' && raised !== null;

function useKind(order: Order): { readonly kind: CardKind; readonly now: number } {
  const [wasDone] = useState(() => isDone(order));
  const [now, setNow] = useState(() => Date.now());
  const waits = order.state === 'placed' || (order.state === 'confirmed' && order.raised === null);
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [waits]);
  if (order.state === 'refused' || order.state === 'withdrawn') return { kind: order.state, now };
  if (waits) return { kind: now - Date.parse(order.placedAt) < patienceMs ? 'waiting' : 'long', now };
  return { kind: wasDone ? 'applied' : 'confirmed', now };
}

/** How the order stands, what comes next, and where one goes from here. */
export function OrderCard({ order }: { order: Order }) {
  const { kind, now } = useKind(order);
  const words = useCardWords(order)[kind];
  const Icon = icons[kind];
  return (
    <div className={classes.place}>
      <article className={classes.card} data-kind={kind}>
        <Icon size={22} className={classes.icon} />
        <div aria-live="polite">
          <h2 className="p-h2">{words.title}</h2>
          <p className="p-sm p-quiet">{words.text}</p>
        </div>
        {kind === 'waiting' || kind === 'long' ? <OrderSteps order={order} now={now} /> : <OrderFacts order={order} />}
        <Foot order={order} kind={kind} />
      </article>
    </div>
  );
}

function Foot({ order, kind }: { order: Order; kind: CardKind }) {
  const { t } = useText();
  const paths = usePaths();
  const billing = paths.to('settings/billing');
  const actions: ReactNode[] = [];
  if (kind === 'waiting')
    return (
      <p className={`p-meta ${classes.foot}`}>
        {t({ id: 'billing.success.reload', defaultMessage: 'You can reload or close this page.' })}
      </p>
    );
  actions.push(
    <Button key="billing" component={Link} to={billing} variant={kind === 'confirmed' ? 'filled' : 'default'}>
      {t({ id: 'billing.success.toBilling', defaultMessage: 'Go to billing' })}
    </Button>,
  );
  if (order.invoice) {
    const query = `tab=orders&invoice=${order.invoice.id}`;
    actions.push(
      <Button
        key="invoice"
        component={Link}
        to={`${billing}${billing.includes('?') ? '&' : '?'}${query}`}
        variant="default"
      >
        {t({ id: 'billing.success.invoice', defaultMessage: 'Invoice' })}
      </Button>,
    );
  }
  return (
    <div className={classes.foot}>
      {actions}
      <span className={`p-meta p-mono ${classes.id}`} dir="ltr">
        {order.id}
      </span>
    </div>
  );
}
