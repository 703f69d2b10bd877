import { Button } from '@mantine/core';
import type { OrganisationLimit, PlatformOrganisation } from '@parley/contracts';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import { useLimitAmount, useLimitName } from './limit-words.ts';
import { limitServices, useOrganisationLimits, type ServiceName, type ShownLimit } from './use-organisation-limits.ts';
import { LimitDialog } from './limit-dialog.tsx';
import classes from './platform.module.css';

type Props = { organisation: PlatformOrganisation };

/** Lists what the organisation has and can have, with a button to change each limit. */
export function LimitsCard({ organisation }: Props) {
  const { t } = useText();
  const [changed, setChanged] = useState<ShownLimit | null>(null);
  return (
    <section className={classes.card} aria-labelledby="other-limits">
      <header className={classes.cardHead}>
        <h2 id="other-limits" className="p-h3">
          {t({ id: 'organisation.limits.title', defaultMessage: 'Other limits' })}
        </h2>
      </header>
      {limitServices.map((service) => (
        <LimitsOf key={service} service={service} organisation={organisation} onChange={setChanged} />
      ))}
      {changed ? <LimitDialog organisation={organisation} limit={changed} onClose={() => setChanged(null)} /> : null}
    </section>
  );
}

type PartProps = Props & { service: ServiceName; onChange: (limit: ShownLimit) => void };

/** Lists the limits of one service. Those of other services do not wait for it. */
function LimitsOf({ organisation, service, onChange }: PartProps) {
  const { t } = useText();
  const { data, error, refetch } = useOrganisationLimits(organisation.id, service);
  if (data)
    return data.items.map((limit) => (
      <LimitRow key={limit.quota} limit={limit} onChange={() => onChange({ ...limit, service })} />
    ));
  if (!error)
    return <SkeletonRows label={t({ id: 'organisation.limits.loading', defaultMessage: 'Loading limits…' })} />;
  return (
    <FailureView
      title={t({ id: 'organisation.limits.failed', defaultMessage: 'Some limits couldn’t be loaded' })}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

function LimitRow({ limit, onChange }: { limit: OrganisationLimit; onChange: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  const [nameOf, amountOf] = [useLimitName(), useLimitAmount()];
  const { quota, used, ceiling, defaultCeiling, isSet } = limit;
  const most = amountOf(quota, ceiling);
  return (
    <div className={`p-sm ${classes.limit} ${classes.limitRow}`}>
      <span>
        {nameOf(quota)}
        {isSet ? (
          <span className="p-meta" style={{ display: 'block' }}>
            {t(
              { id: 'organisation.limits.isSet', defaultMessage: 'Set for this organisation, default {amount}' },
              { amount: amountOf(quota, defaultCeiling) },
            )}
          </span>
        ) : null}
      </span>
      <bdi className={classes.amount}>
        {used === null
          ? most
          : t(
              { id: 'organisation.platform.ofLimit', defaultMessage: '{used} of {limit}' },
              { used: amountOf(quota, used), limit: most },
            )}
      </bdi>
      <Button
        variant="default"
        size="xs"
        aria-label={t(
          { id: 'organisation.limits.change', defaultMessage: 'Change limit: {name}' },
          { name: nameOf(quota) },
        )}
        onClick={onChange}
        {...off}
      >
        {t({ id: 'organisation.limits.changeShort', defaultMessage: 'Change' })}
      </Button>
    </div>
  );
}
