import { useCallback } from 'react';
import { useText } from '../../lib/text.ts';

/** As the server names all that was not counted apart, and the assistant that asks no server. */
const other = 'other';
const builtIn = 'builtin';

/** What a model or a provider is called. */
export function usePartNames(): (id: string) => string {
  const { t } = useText();
  return useCallback(
    (id) => {
      if (id === other) return t({ id: 'monitoring.part.other', defaultMessage: 'All others' });
      if (id === builtIn) return t({ id: 'monitoring.part.builtIn', defaultMessage: 'Built-in assistant' });
      return id.startsWith('prv_') ? id.slice(id.indexOf('/') + 1) : id;
    },
    [t],
  );
}
