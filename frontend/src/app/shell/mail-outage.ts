import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';

const refetchMs = 60_000;

/** That mails are held up, in words, for platform admins; null while all is well. */
export function useMailOutage(): string | null {
  const { t } = useText();
  const { me } = useTab();
  const { data } = useQuery({
    queryKey: resourceKey('mails', null, 'delivery'),
    queryFn: ({ signal }) => api('GET /api/auth/mails', { query: { limit: 1 }, signal }),
    enabled: me.platformRole === 'admin',
    refetchInterval: refetchMs,
  });
  return data?.delivery.failingSince ? t({ id: 'shell.entry.mailHeld', defaultMessage: 'Emails are delayed' }) : null;
}
