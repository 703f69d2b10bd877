import { useCallback } from 'react';
import { useText } from '../../lib/text.ts';

/** As the server names all that was not counted apart, and the assistant that asks no server. */
const other = 'other';
const builtIn = 'builtin';

/** A model as people know it: the key begins with the id of its provider. */
export function useModelName(): (model: string) => string {
  const { t } = useText();
  return useCallback(
    (model) => {
      if (model === other) return t({ id: 'people.model.other', defaultMessage: 'All others' });
      if (model === builtIn) return t({ id: 'people.model.builtIn', defaultMessage: 'Built-in assistant' });
      return model.slice(model.indexOf('/') + 1);
    },
    [t],
  );
}
