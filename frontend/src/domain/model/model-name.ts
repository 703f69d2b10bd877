import type { Model } from '@parley/contracts';
import { useCallback } from 'react';
import { useText } from '../../lib/text.ts';

/**
 * Returns a model's name: its label, or its key without the id of its provider. The built-in assistant has a name in the
 * language of the page.
 */
export function useModelName(): (model: string | Pick<Model, 'key' | 'label'>) => string {
  const { t } = useText();
  return useCallback(
    (model) => {
      const key = typeof model === 'string' ? model : model.key;
      if (key === 'builtin') return t({ id: 'model.name.builtIn', defaultMessage: 'Built-in assistant' });
      return typeof model === 'string' ? key.slice(key.indexOf('/') + 1) : model.label;
    },
    [t],
  );
}

/** Returns a model's name with that of its provider, to choose from. */
export function useModelLabel(): (model: Pick<Model, 'key' | 'label' | 'providerName'>) => string {
  const nameOf = useModelName();
  return (model) => (model.providerName ? `${nameOf(model)} · ${model.providerName}` : nameOf(model));
}
