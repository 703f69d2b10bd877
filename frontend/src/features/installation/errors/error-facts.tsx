import type { ErrorGroup, ErrorSample } from '@parley/contracts';
import type { ReactNode } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import classes from './errors.module.css';

/** What is known of the group and of the report that is looked at; what is not is left out. */
export function ErrorFacts({ group, sample }: { group: ErrorGroup; sample: ErrorSample | undefined }) {
  const { t } = useText();
  const { exact } = useFormats();
  const { resolved, releases } = group;
  return (
    <dl className={classes.facts}>
      <Fact name={t({ id: 'installation.errors.first', defaultMessage: 'First' })}>{exact(group.firstAt)}</Fact>
      <Fact name={t({ id: 'installation.errors.last', defaultMessage: 'Last' })}>{exact(group.lastAt)}</Fact>
      <Fact name={t({ id: 'installation.errors.resolvedBy', defaultMessage: 'Resolved by' })}>{resolved?.by}</Fact>
      <Fact name={t({ id: 'installation.errors.releases', defaultMessage: 'Releases' })}>
        {releases.length > 0 ? <bdi className="p-mono">{releases.join(', ')}</bdi> : null}
      </Fact>
      <Fact name={t({ id: 'installation.errors.route', defaultMessage: 'Route' })} mono={sample?.route} />
      <Fact name={t({ id: 'installation.errors.consumer', defaultMessage: 'Consumer' })} mono={sample?.consumer} />
      <Fact name={t({ id: 'installation.errors.process', defaultMessage: 'Process' })} mono={sample?.process} />
      <Fact name={t({ id: 'installation.errors.trace', defaultMessage: 'Trace' })} mono={sample?.traceId} />
      <Fact name={t({ id: 'installation.errors.digest', defaultMessage: 'Digest' })} mono={sample?.digest} />
      <Fact name={t({ id: 'installation.errors.event', defaultMessage: 'Event' })} mono={sample?.eventId} />
    </dl>
  );
}

function Fact({ name, mono, children }: { name: string; mono?: string | null | undefined; children?: ReactNode }) {
  const shown = mono ? <bdi className="p-mono">{mono}</bdi> : children;
  return shown ? (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{shown}</dd>
    </div>
  ) : null;
}
