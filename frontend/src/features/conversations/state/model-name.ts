import type { Model } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';

/** How a model is called: as its server calls it, and the built-in assistant in the language of the page. */
export function useModelName(): (model: Pick<Model, 'key' | 'label'>) => string {
  const { t } = useText();
  return ({ key, label }) =>
    key === 'builtin' ? t({ id: 'chat.model.builtinName', defaultMessage: 'Built-in assistant' }) : label;
}
