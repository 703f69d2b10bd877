import type { PlatformOrganisation } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { api, isProblem } from '../../../lib/http.ts';
import { useText } from '../../../lib/text.ts';
import { SavedOption } from '../parts/saved-option.tsx';
import { useShowPlatformOrganisation } from './use-platform-organisation.ts';
import platform from './platform.module.css';

/** Switches the organisation's own flow on and off. Each change is saved at once. */
export function FlowOption({ organisation }: { organisation: PlatformOrganisation }) {
  const { t } = useText();
  const change = useChangeFlow(organisation);
  const { flow } = organisation;
  // An earlier version of the server doesn't say whose it is.
  if (flow === undefined) return null;
  return (
    <div className={platform.limit}>
      <SavedOption
        isOn={change.isPending ? change.variables : flow !== 'creator'}
        isOff={change.isPending || flow === 'by-platform'}
        label={t({ id: 'organisation.platform.flow', defaultMessage: 'Own flow in shared workers' })}
        about={
          flow === 'by-platform'
            ? t({
                id: 'organisation.platform.flowByPlatform',
                defaultMessage: 'A platform admin created this organisation, so it has its own turns and limits.',
              })
            : t({
                id: 'organisation.platform.flowAbout',
                defaultMessage:
                  'Gives this organisation its own turns and limits for answers, syncs and emails. Otherwise it shares them with the other organisations of its creator.',
              })
        }
        error={change.error}
        onChange={change.mutate}
      />
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
