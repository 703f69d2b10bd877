import type { ApiKey } from '@parley/contracts';
import { useState } from 'react';
import { RevokeKey } from '../../../domain/api-key/revoke-key.tsx';
import { api } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ReasonField } from '../parts/reason-field.tsx';

/** Ends somebody's key, and asks why. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const { id: apiKeyId, owner } = apiKey;
  return (
    <RevokeKey
      apiKey={apiKey}
      revoke={() =>
        api('DELETE /api/auth/api-keys/:apiKeyId', {
          orgId,
          params: { apiKeyId },
          query: { reason: reason.trim() },
          retries: 2,
        })
      }
      list="api-keys"
      reason={{
        text: reason,
        field: (confirm) => <ReasonField value={reason} isMissing={isMissing} onChange={setReason} onEnter={confirm} />,
        onMissing: () => setMissing(true),
      }}
      onClose={onClose}
    >
      {t(
        {
          id: 'organisation.keys.revokeText',
          defaultMessage: 'Programs that {name} runs with it are refused within a second. It cannot be brought back.',
        },
        { name: owner.name },
      )}
    </RevokeKey>
  );
}
