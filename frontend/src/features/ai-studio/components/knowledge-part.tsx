import { NativeSelect } from '@mantine/core';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import type { DraftEditing } from '../use-draft-editing.ts';
import classes from './knowledge-part.module.css';

const counts = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20];

/** What it answers from: how many passages, and whether nothing else counts. */
export function KnowledgePart({ editing: { content, change } }: { editing: DraftEditing }) {
  const { t } = useText();
  const { number } = useFormats();
  const { knowledge } = content;
  const { passages, onlyFromDocuments } = knowledge;
  const set = (part: Partial<typeof knowledge>) => change({ knowledge: { ...knowledge, ...part } });
  const offered = [...new Set([...counts, passages])].toSorted((one, other) => one - other);
  return (
    <>
      <NativeSelect
        label={t({ id: 'studio.knowledge.count', defaultMessage: 'Passages with a question, at most' })}
        description={t({
          id: 'studio.knowledge.countAbout',
          defaultMessage: 'Those that fit best go to the model; more of them cost more.',
        })}
        inputWrapperOrder={['label', 'input', 'description']}
        value={String(passages)}
        data={offered.map((count) => ({
          value: String(count),
          label:
            count === 0
              ? t({ id: 'studio.knowledge.no', defaultMessage: 'None: documents do not count' })
              : number(count),
        }))}
        onChange={(event) => set({ passages: Number(event.currentTarget.value) })}
      />
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={onlyFromDocuments}
          onChange={(event) => set({ onlyFromDocuments: event.currentTarget.checked })}
        />
        <span>
          {t({ id: 'studio.knowledge.onlyLabel', defaultMessage: 'Only from documents' })}
          <span className="p-meta">
            {t({
              id: 'studio.knowledge.onlyAbout',
              defaultMessage: 'Where nothing is found, it says so and asks no model.',
            })}
          </span>
        </span>
      </label>
    </>
  );
}
