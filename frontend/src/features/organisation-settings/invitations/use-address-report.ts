import type { OrgId } from '@parley/protocol';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import type { AddressLine, Report } from './address-lines.ts';

/** What would happen to each address, before anything is sent; asked again when somebody is invited or joins. */
export const reportQuery = (orgId: OrgId, lines: readonly AddressLine[]) => {
  const sent = lines.map(({ text }) => text);
  return queryOptions({
    queryKey: resourceKey('invitations', orgId, 'report', sent),
    queryFn: async ({ signal }): Promise<Report> => ({
      ...(await api('POST /api/org/invitations/report', { orgId, body: { lines: sent }, signal, retries: 2 })),
      sent,
    }),
    enabled: sent.length > 0,
    placeholderData: keepPreviousData,
  });
};
