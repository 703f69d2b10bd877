import type { Presence } from '@parley/contracts';
import { useText } from '../../lib/text.ts';

export function usePresenceNames(): Record<Presence, string> {
  const { t } = useText();
  return {
    online: t({ id: 'active.presence.online', defaultMessage: 'Online' }),
    idle: t({ id: 'active.presence.idle', defaultMessage: 'Idle' }),
    away: t({ id: 'active.presence.away', defaultMessage: 'Away' }),
  };
}
