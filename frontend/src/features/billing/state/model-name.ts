import { useCallback } from 'react';
import { useText } from '../../../lib/text.ts';

/** A model as people know it: the key begins with the id of its provider. */
export function useModelName(): (model: string) => string {
  const { t } = useText();
  return useCallback(
    (model) =>
      model === 'builtin'
        ? t({ id: 'billing.model.builtIn', defaultMessage: 'Built-in assistant' })
        : model.slice(model.indexOf('/') + 1),
    [t],
  );
}
