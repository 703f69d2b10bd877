import { Button, TextInput } from '@mantine/core';
import type { PlatformOrganisation } from '@parley/contracts';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { api, isProblem } from '../../../lib/http.ts';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { useShowPlatformOrganisation } from './use-platform-organisation.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import classes from './platform.module.css';
import { ApprovalPart } from './approval-part.tsx';

type Props = { organisation: PlatformOrganisation };
/** From so much on the bar warns. */
const tightFrom = 0.9;
const mostSeats = 1_000_000;

/** The limits that a platform admin sets, and how many seats are used and held. */
export function SeatsCard({ organisation }: Props) {
  const { t } = useText();
  const { number } = useFormats();
  const off = useActionOff();
  const [isChanging, setChanging] = useState(false);
  const { members, seatsHeld, seatLimit } = organisation;
  const used = members.active + members.suspended;
  return (
    <section className={classes.card} aria-labelledby="limits">
      <header className={classes.cardHead}>
        <h2 id="limits" className="p-h3">
          {t({ id: 'organisation.platform.limits', defaultMessage: 'Limits' })}
        </h2>
        <Button variant="default" size="xs" onClick={() => setChanging(true)} {...off}>
          {t({ id: 'organisation.platform.changeLimit', defaultMessage: 'Change limit' })}
        </Button>
      </header>
      <div className={classes.limit}>
        <div className={`p-sm ${classes.line}`}>
          <span>{t({ id: 'organisation.platform.seats', defaultMessage: 'Seats' })}</span>
          <bdi>
            {seatLimit === null
              ? t({ id: 'organisation.platform.noLimit', defaultMessage: '{used}, no limit' }, { used: number(used) })
              : t(
                  { id: 'organisation.platform.ofLimit', defaultMessage: '{used} of {limit}' },
                  { used: number(used), limit: number(seatLimit) },
                )}
          </bdi>
        </div>
        {seatLimit === null ? null : <Meter used={used} held={seatsHeld} limit={seatLimit} />}
        {seatsHeld === 0 ? null : (
          <p className="p-meta">
            {t(
              {
                id: 'organisation.platform.held',
                defaultMessage:
                  '{count, plural, one {# more is held for an invitation.} other {# more are held for invitations.}}',
              },
              { count: seatsHeld },
            )}
          </p>
        )}
      </div>
      <ApprovalPart organisation={organisation} />
      {isChanging ? <LimitDialog organisation={organisation} onClose={() => setChanging(false)} /> : null}
    </section>
  );
}

function Meter({ used, held, limit }: { used: number; held: number; limit: number }) {
  const share = (count: number) => `${Math.min(100, (count / limit) * 100)}%`;
  return (
    <div className={classes.meter} data-tight={used + held >= limit * tightFrom || undefined} aria-hidden="true">
      <i data-held style={{ inlineSize: share(used + held) }} />
      <i style={{ inlineSize: share(used) }} />
    </div>
  );
}

function LimitDialog({ organisation, onClose }: Props & { onClose: () => void }) {
  const { t } = useText();
  const show = useShowPlatformOrganisation();
  const [newer, setNewer] = useState<PlatformOrganisation | null>(null);
  const { id: orgId, version, seatLimit } = newer ?? organisation;
  const { fields, submit, failure, isBusy } = useServerForm({
    initialValues: { seatLimit: seatLimit === null ? '' : String(seatLimit) },
    validate: {
      seatLimit: (value) =>
        value.trim() === '' || (/^\d+$/.test(value.trim()) && Number(value) >= 1 && Number(value) <= mostSeats)
          ? null
          : t({
              id: 'organisation.platform.limitCheck',
              defaultMessage: 'Enter a whole number from 1 on, or nothing.',
            }),
    },
    send: ({ seatLimit: typed }) =>
      api('PUT /api/org/all-organisations/:orgId/seat-limit', {
        params: { orgId },
        body: { version, seatLimit: typed.trim() === '' ? null : Number(typed) },
      }),
    onSent: async (changed) => {
      onClose();
      await show(changed);
    },
    onRefused: (error) =>
      isProblem(error, 'platform.conflict') && setNewer(error.problem.current as PlatformOrganisation),
  });
  return (
    <FormDialog
      title={t(
        { id: 'organisation.platform.limitTitle', defaultMessage: 'Seats of {name}' },
        { name: organisation.name },
      )}
      save={t({ id: 'organisation.platform.changeLimit', defaultMessage: 'Change limit' })}
      isBusy={isBusy}
      failure={failure}
      now={
        newer &&
        t(
          {
            id: 'organisation.platform.limitNow',
            defaultMessage: 'The limit is now: {limit, plural, =0 {none} other {#}}.',
          },
          { limit: newer.seatLimit ?? 0 },
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        name="seatLimit"
        inputMode="numeric"
        dir="ltr"
        data-autofocus
        label={t({ id: 'organisation.platform.limitLabel', defaultMessage: 'Seats at most' })}
        description={t({
          id: 'organisation.platform.limitAbout',
          defaultMessage:
            'Leave empty for no limit. A limit below the seats in use removes nobody, but nobody else can join.',
        })}
        {...fields.getInputProps('seatLimit')}
      />
    </FormDialog>
  );
}
