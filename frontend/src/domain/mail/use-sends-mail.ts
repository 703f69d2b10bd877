import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/http.ts';

/** Whether this installation has a mail server; undefined until that is known. Else links are shown and handed over. */
export const useSendsMail = (): boolean | undefined =>
  useQuery({
    queryKey: ['person', 'mail-server'],
    queryFn: ({ signal }) => api('GET /api/auth/password-resets', { signal }),
    staleTime: 60_000,
  }).data?.sendsMail;
