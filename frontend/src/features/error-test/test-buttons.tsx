import { Button } from '@mantine/core';
import type { ErrorTestKind } from '@parley/contracts';
import { Globe, Waypoints, Webhook, type LucideIcon } from 'lucide-react';
import { Link } from 'react-router-dom';
import { usePaths } from '../../lib/paths.ts';
import { useText } from '../../lib/text.ts';
import { useActionOff } from '../../ui/stale.tsx';
import classes from './error-test.module.css';
import { testedServices, useTestNames } from './use-test-names.ts';

type Way = { readonly kind: ErrorTestKind; readonly label: string };
type Props = { onTrigger: (kind: ErrorTestKind) => void; busy: ErrorTestKind | null | undefined };

export function TestButtons({ onTrigger, busy }: Props) {
  const { t } = useText();
  const nameOf = useTestNames();
  const paths = usePaths();
  const off = useActionOff();
  const trigger = t({ id: 'errorTest.way.trigger', defaultMessage: 'Trigger' });
  const once = (kind: ErrorTestKind, icon: LucideIcon) => ({
    icon,
    name: nameOf(kind),
    ways: [{ kind, label: trigger }],
  });
  const both = (service: (typeof testedServices)[number]) => ({
    icon: Webhook,
    name: nameOf(`${service}.request`),
    ways: [
      { kind: `${service}.request`, label: t({ id: 'errorTest.way.request', defaultMessage: 'Request' }) },
      { kind: `${service}.event`, label: t({ id: 'errorTest.way.event', defaultMessage: 'Event' }) },
    ] satisfies Way[],
  });
  const rows: { icon: LucideIcon; name: string; ways: Way[] }[] = [
    once('script', Globe),
    once('promise', Globe),
    once('render', Globe),
    once('bff', Waypoints),
    ...testedServices.map(both),
  ];
  return (
    <div className={classes.buttons}>
      <ul>
        {rows.map(({ icon: Icon, name, ways }) => (
          <li key={name} className={classes.row}>
            <Icon />
            <span className={classes.rowName}>{name}</span>
            {ways.map(({ kind, label }) => (
              <Button
                key={kind}
                variant="default"
                size="xs"
                loading={busy === kind}
                aria-label={`${label}: ${name}`}
                onClick={() => onTrigger(kind)}
                {...off}
              >
                {label}
              </Button>
            ))}
          </li>
        ))}
      </ul>
      <p className={classes.foot}>
        {t({
          id: 'errorTest.way.about',
          defaultMessage: 'Request: over HTTP. Event: over the event log, in the same trace.',
        })}{' '}
        <Link className="p-link" to={paths.to('sentry-test/error')}>
          {t({ id: 'errorTest.way.page', defaultMessage: 'Open a page that throws while it loads' })}
        </Link>
      </p>
    </div>
  );
}
