import type { ApiKey } from '@parley/contracts';
import { RevokeKey } from '../../../domain/api-key/revoke-key.tsx';
import { api } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';

/** Ends a key of one's own for good. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const revoke = () =>
    api('DELETE /api/auth/my-api-keys/:apiKeyId', { orgId, params: { apiKeyId: apiKey.id }, retries: 2 });
  return (
    <RevokeKey apiKey={apiKey} revoke={revoke} list="my-api-keys" onClose={onClose}>
      {t({
        id: 'settings.keys.revokeText',
        defaultMessage: 'Programs that use it are refused within a second. It cannot be brought back.',
      })}
    </RevokeKey>
  );
}
