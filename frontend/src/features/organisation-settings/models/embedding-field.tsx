import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import type { ProviderDraft } from './provider-draft.ts';

type Props = { draft: ProviderDraft; change: (part: Partial<ProviderDraft>) => void; error: ReactNode };
const listId = 'embedding-models';

/** Which model of the server says what passages and questions mean; empty where none does. */
export function EmbeddingField({ draft, change, error }: Props) {
  const { t } = useText();
  return (
    <>
      <TextInput
        name="embeddingModel"
        label={t({ id: 'organisation.embedding.model', defaultMessage: 'Embedding model' })}
        description={t({
          id: 'organisation.embedding.about',
          defaultMessage:
            'Finds passages by what they mean, too. It is sent all passages of your documents once, and each question. Empty: passages are found by their words.',
        })}
        maxLength={200}
        dir="ltr"
        list={listId}
        value={draft.embeddingModel}
        error={error}
        onChange={(event) => change({ embeddingModel: event.currentTarget.value })}
      />
      <datalist id={listId}>
        {draft.known.map((model) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </datalist>
    </>
  );
}
