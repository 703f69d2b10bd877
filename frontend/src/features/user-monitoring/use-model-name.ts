import { useCallback } from 'react';
import { useModelName } from '../../domain/model/model-name.ts';
import { useText } from '../../lib/text.ts';

/** The server's key for all models that it didn't count apart. */
const other = 'other';

/** Returns the name of a model, or of all others. */
export function useCountedModelName(): (model: string) => string {
  const { t } = useText();
  const nameOf = useModelName();
  return useCallback(
    (model) => (model === other ? t({ id: 'people.model.other', defaultMessage: 'All others' }) : nameOf(model)),
    [t, nameOf],
  );
}
