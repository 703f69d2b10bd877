import { Button } from '@mantine/core';
import type { ListedErrorTest } from '@parley/contracts';
import { Link } from 'react-router-dom';
import { clockTime, useFormats } from '../../lib/formats.ts';
import { usePaths } from '../../lib/paths.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Status } from '../../ui/list-table.tsx';
import { StatusShape } from '../../ui/status-shape.tsx';
import table from '../../ui/table.module.css';
import classes from './error-test.module.css';
import { useTestNames } from './use-test-names.ts';

const cut = (id: string): string => `${id.slice(0, 4)}…${id.slice(-4)}`;
const between = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from));

type Props = { test: ListedErrorTest; isCollected: boolean; isOpen: boolean; onToggle: () => void };

export function TestCells({ test, isCollected, isOpen, onToggle }: Props) {
  const { t, intl } = useText();
  const { number, exact } = useFormats();
  const { at, traceId, arrived } = test;
  const name = useTestNames()(test.kind);
  const ms = (value: number) =>
    t({ id: 'errorTest.duration.ms', defaultMessage: '{value} ms' }, { value: number(value) });
  return (
    <>
      <td>
        <button type="button" className={`p-plain ${classes.test}`} aria-expanded={isOpen} onClick={onToggle}>
          {name}
        </button>
        {isOpen ? <Opened test={test} ms={ms} /> : null}
      </td>
      <td>
        <bdi className="p-mono" title={arrived?.eventId}>
          {arrived ? cut(arrived.eventId) : '—'}
        </bdi>
      </td>
      <td>
        <bdi className="p-mono" title={traceId}>
          {cut(traceId)}
        </bdi>
      </td>
      <td>
        <Status kind={arrived ? 'ok' : isCollected ? 'running' : 'off'}>
          {arrived
            ? t({ id: 'errorTest.state.arrived', defaultMessage: 'Arrived' })
            : isCollected
              ? t({ id: 'errorTest.state.waiting', defaultMessage: 'Not there yet' })
              : t({ id: 'errorTest.state.elsewhere', defaultMessage: 'Sent on, not seen here' })}
        </Status>
      </td>
      <td className={table.figure}>{arrived ? ms(between(at, arrived.receivedAt)) : ''}</td>
      <td className={`${table.figure} ${table.quiet}`} title={exact(at)}>
        {intl.formatTime(at, { ...clockTime, second: '2-digit' })}
      </td>
    </>
  );
}

function Opened({ test, ms }: { test: ListedErrorTest; ms: (value: number) => string }) {
  const { t } = useText();
  const paths = usePaths();
  const { me } = useTab();
  const { at, arrived, id, traceId } = test;
  return (
    <div className={classes.opened}>
      {arrived ? (
        <ol className={classes.hops}>
          <li>
            <StatusShape kind="ok" /> {t({ id: 'errorTest.hop.asked', defaultMessage: 'Asked for' })}
            <span className={classes.hopTime}>{ms(0)}</span>
          </li>
          <li>
            <StatusShape kind="ok" />{' '}
            {t({ id: 'errorTest.hop.failed', defaultMessage: '{who} failed' }, { who: arrived.deployable })}
            <span className={classes.hopTime}>{ms(between(at, arrived.failedAt))}</span>
          </li>
          <li>
            <StatusShape kind="ok" /> {t({ id: 'errorTest.hop.collected', defaultMessage: 'Collected' })}
            <span className={classes.hopTime}>{ms(between(at, arrived.receivedAt))}</span>
          </li>
        </ol>
      ) : null}
      <div className={classes.openedActions}>
        {arrived && me.platformRole === 'admin' ? (
          <Button component={Link} to={paths.errorGroup(arrived.groupId)} variant="default" size="xs">
            {t({ id: 'errorTest.result.group', defaultMessage: 'Open the group' })}
          </Button>
        ) : null}
        <CopyButton
          text={[`test ${id}`, `trace ${traceId}`, `event ${arrived?.eventId ?? ''}`].join('\n')}
          label={t({ id: 'errorTest.result.copy', defaultMessage: 'Copy ids' })}
          copied={t({ id: 'errorTest.result.copied', defaultMessage: 'Copied' })}
        />
      </div>
    </div>
  );
}
