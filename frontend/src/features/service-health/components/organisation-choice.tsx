import { NativeSelect } from '@mantine/core';
import type { OrgId } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { api } from '../../../lib/http.ts';
import { usePaths } from '../../../lib/paths.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import classes from '../service-health.module.css';

const mostOffered = 100;

/** Whose health is shown; of very many organisations the list of all of them leads here. */
export function OrganisationChoice({ orgId, name }: { orgId: OrgId; name: string | undefined }) {
  const { t } = useText();
  const paths = usePaths();
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: resourceKey('all-organisations', null, 'choice'),
    queryFn: ({ signal }) => api('GET /api/monitoring/all-organisations', { query: { limit: mostOffered }, signal }),
  });
  const offered = (data?.items ?? []).map((item) => ({ value: item.id as string, label: item.name }));
  const all = offered.some(({ value }) => value === orgId)
    ? offered
    : [{ value: orgId as string, label: name ?? '' }, ...offered];
  return (
    <NativeSelect
      size="xs"
      className={classes.choice}
      aria-label={t({ id: 'health.page.organisation', defaultMessage: 'Organisation' })}
      value={orgId}
      data={all}
      onChange={({ currentTarget }) =>
        void navigate(paths.to('settings/org_admin/monitoring/:orgId', { orgId: currentTarget.value }))
      }
    />
  );
}
