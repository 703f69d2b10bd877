import { useQuery } from '@tanstack/react-query';
import type { Provider } from '@parley/contracts';
import { api, type Answer } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import table from '../../../ui/table.module.css';

type Embedding = Answer<'GET /api/chat/embedding'>;
/** No event tells of it: it is read again while somebody looks and something is missing. */
const refetchMs = 2_000;

/** How many passages have a vector of the provider's model, and why not more. */
export function EmbeddingLine({ provider }: { provider: Provider }) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const { data } = useQuery({
    queryKey: resourceKey('providers', orgId, 'embedding', provider.id, provider.version),
    queryFn: ({ signal }) => api('GET /api/chat/embedding', { orgId, signal }),
    refetchInterval: ({ state }) => (state.data && isWhole(state.data) ? false : refetchMs),
  });
  const why = useWhy(data);
  if (!data || data.model?.providerId !== provider.id) return null;
  const { withVectors, refused, passages, model } = data;
  return (
    <span className={table.second}>
      {t(
        {
          id: 'organisation.embedding.done',
          defaultMessage: 'Meaning by {model}: {done, number} of {all, number} passages have vectors',
        },
        { model: `\u2068${model.name}\u2069`, done: withVectors, all: passages },
      )}
      {refused > 0 ? (
        <span className={table.second}>
          {t(
            {
              id: 'organisation.embedding.refused-passages',
              defaultMessage:
                '{count, plural, one {The model refuses # passage. It is found by its words.} other {The model refuses # passages. They are found by their words.}}',
            },
            { count: refused },
          )}
        </span>
      ) : null}
      {why ? <span className={table.second}>{why}</span> : null}
    </span>
  );
}

const isWhole = ({ withVectors, refused, passages, isFull }: Embedding): boolean =>
  withVectors + refused >= passages || isFull;

/** Why there are no more; null while it goes on. */
function useWhy(embedding: Embedding | undefined): string | null {
  const { t } = useText();
  if (embedding?.isFull)
    return t({
      id: 'organisation.embedding.full',
      defaultMessage: 'No room for more. The others are found by their words.',
    });
  switch (embedding?.failure) {
    case null:
    case undefined:
      return null;
    case 'budget-spent':
    case 'budget-unavailable':
      return t({
        id: 'organisation.embedding.budget',
        defaultMessage: 'It waits for the budget, which is used up, and goes on by itself.',
      });
    case 'provider-refused':
      return t({
        id: 'organisation.embedding.refused',
        defaultMessage: 'The server refuses the key. Until it takes it, passages are found by their words.',
      });
    case 'model-missing':
      return t({
        id: 'organisation.embedding.missing',
        defaultMessage: 'The server does not know this model. Until it does, passages are found by their words.',
      });
    default:
      return t({
        id: 'organisation.embedding.failing',
        defaultMessage:
          'The server gives no vectors for now and is asked again by itself. Passages are found by their words.',
      });
  }
}
