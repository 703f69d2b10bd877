import type { MessageFile, Model } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';

type Used = Pick<MessageFile, 'use'> & {
  readonly tokens?: number | null | undefined;
  readonly pages?: number | null | undefined;
  /** True for an image that wasn't sent, because other files took the room. */
  readonly isLeftOut?: boolean;
};

/** Returns the words for how a file is used, before and after it is sent, with tokens and pages if known. */
export function useFileWords(): (file: Used) => string {
  const { t } = useText();
  const { number } = useFormats();
  return ({ use, tokens, pages, isLeftOut }) => {
    if (isLeftOut) return t({ id: 'files.use.leftOut', defaultMessage: 'Not seen: no room for it' });
    if (use === 'image') return t({ id: 'files.use.image', defaultMessage: 'Seen as image' });
    if (use === 'whole')
      return typeof tokens === 'number'
        ? t({ id: 'files.use.whole', defaultMessage: 'Read in full, {tokens} tokens' }, { tokens: number(tokens) })
        : t({ id: 'files.sent.whole', defaultMessage: 'Read in full' });
    return typeof pages === 'number'
      ? t(
          { id: 'files.use.searchedPages', defaultMessage: 'Searched, {pages, plural, one {# page} other {# pages}}' },
          { pages },
        )
      : t({ id: 'files.use.searched', defaultMessage: 'Searched' });
  };
}

/** Returns the note that a model's context length is assumed; null if the length is known. */
export function useAssumedContext(): (model: Pick<Model, 'context'> | null) => string | null {
  const { t } = useText();
  const { number } = useFormats();
  return (model) =>
    model?.context?.isAssumed
      ? t(
          {
            id: 'files.use.assumed',
            defaultMessage: 'The context length of this model isn’t known: {tokens} tokens are assumed.',
          },
          { tokens: number(model.context.tokens) },
        )
      : null;
}
