import type { PlatformOrganisation } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { api, isProblem } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import classes from '../parts/organisation-settings.module.css';
import { useShowPlatformOrganisation } from './use-platform-organisation.ts';
import platform from './platform.module.css';

/** Switches the organisation's own flow on and off. Each change is saved at once. */
export function FlowOption({ organisation }: { organisation: PlatformOrganisation }) {
  const { t } = useText();
  const describe = useProblemText();
  const off = useActionOff();
  const change = useChangeFlow(organisation);
  const { flow } = organisation;
  // An earlier version of the server doesn't say whose it is.
  if (flow === undefined) return null;
  const isOwn = change.isPending ? change.variables : flow !== 'creator';
  return (
    <div className={platform.limit}>
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={isOwn}
          disabled={off !== null || change.isPending || flow === 'by-platform'}
          onChange={({ currentTarget: { checked } }) => change.mutate(checked)}
        />
        <span>
          {t({ id: 'organisation.platform.flow', defaultMessage: 'Own flow in shared workers' })}
          <span className="p-meta" style={{ display: 'block' }}>
            {flow === 'by-platform'
              ? t({
                  id: 'organisation.platform.flowByPlatform',
                  defaultMessage: 'A platform admin created this organisation, so it has its own turns and limits.',
                })
              : t({
                  id: 'organisation.platform.flowAbout',
                  defaultMessage:
                    'Gives this organisation its own turns and limits for answers, syncs and emails. Otherwise it shares them with the other organisations of its creator.',
                })}
          </span>
        </span>
      </label>
      {change.error ? (
        <Note kind="danger" isAlert>
          {describe(change.error).text}
        </Note>
      ) : null}
    </div>
  );
}

/** Shows what another admin has saved meanwhile. */
function useChangeFlow({ id: orgId, version }: PlatformOrganisation) {
  const show = useShowPlatformOrganisation();
  return useMutation({
    mutationFn: (isOwn: boolean) =>
      api('PUT /api/org/all-organisations/:orgId/flow', { params: { orgId }, body: { version, isOwn } }),
    onSuccess: show,
    onError: (error) =>
      isProblem(error, 'platform.conflict') ? show(error.problem.current as PlatformOrganisation) : undefined,
  });
}
