import { useCallback } from 'react';
import { useModelName } from '../../domain/model/model-name.ts';
import { useText } from '../../lib/text.ts';

/** The server's key for the sum of all models that it doesn't list separately. */
const other = 'other';

/** Returns a function that names a model, or all other models for the server's key `other`. */
export function useCountedModelName(): (model: string) => string {
  const { t } = useText();
  const nameOf = useModelName();
  return useCallback(
    (model) => (model === other ? t({ id: 'people.model.other', defaultMessage: 'All others' }) : nameOf(model)),
    [t, nameOf],
  );
}
