import { Button, TextInput } from '@mantine/core';
import type { ChatbotDraft } from '@parley/contracts';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../../../lib/text.ts';
import { useVersionName } from '../../../../domain/chatbot/use-version-name.ts';
import { glyphs } from '../../../../ui/glyph.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Segments } from '../../../../ui/segments.tsx';
import type { DraftEditing } from '../../state/use-draft-editing.ts';
import { useWords } from '../../state/use-words.ts';
import { InstructionsField } from '../instructions-field/index.tsx';
import { TextDiffView } from '../text-diff-view/index.tsx';
import classes from './prompt-part.module.css';

const mostStarters = 6;
type Props = { draft: ChatbotDraft; editing: DraftEditing };

/** What it is told, what it offers to begin with, and how it is called. */
export function PromptPart({ draft, editing }: Props) {
  return (
    <>
      <Instructions draft={draft} editing={editing} />
      <Starters editing={editing} />
      <NameAndPicture editing={editing} />
    </>
  );
}

function Instructions({ draft: { published }, editing: { content, change } }: Props) {
  const { t } = useText();
  const { fieldNames } = useWords();
  const versionName = useVersionName();
  const [view, setView] = useState<'edit' | 'changes'>('edit');
  const options = [
    { value: 'edit' as const, label: t({ id: 'studio.instructions.edit', defaultMessage: 'Edit' }) },
    {
      value: 'changes' as const,
      label: t(
        { id: 'studio.instructions.changes', defaultMessage: 'Changes since {version}' },
        { version: published?.version ? String(published.version) : versionName(0) },
      ),
    },
  ];
  return (
    <section className={classes.instructions}>
      <header className={classes.head}>
        <h2 className="p-h3">{fieldNames.instructions}</h2>
        {published ? (
          <Segments
            label={t({ id: 'studio.instructions.view', defaultMessage: 'View of the instructions' })}
            options={options}
            value={view}
            onChange={setView}
          />
        ) : null}
      </header>
      {view === 'changes' && published ? (
        published.content.instructions === content.instructions ? (
          <p className="p-sm p-quiet">
            {t({ id: 'studio.instructions.same', defaultMessage: 'They are as they were published.' })}
          </p>
        ) : (
          <TextDiffView
            label={fieldNames.instructions}
            before={published.content.instructions}
            after={content.instructions}
          />
        )
      ) : (
        <InstructionsField value={content.instructions} onChange={(instructions) => change({ instructions })} />
      )}
    </section>
  );
}

function Starters({ editing: { content, change } }: Pick<Props, 'editing'>) {
  const { t } = useText();
  const { fieldNames } = useWords();
  const { starters } = content;
  const set = (next: string[]) => change({ starters: next });
  return (
    <fieldset className={classes.starters}>
      <legend>{fieldNames.starters}</legend>
      <p className="p-meta">
        {t({ id: 'studio.starters.about', defaultMessage: 'Questions that the empty chat offers to begin with.' })}
      </p>
      {starters.map((starter, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a starter is its place: it has no other identity
        <div key={at} className={classes.starter}>
          <TextInput
            aria-label={t({ id: 'studio.starters.one', defaultMessage: 'Starter {number}' }, { number: at + 1 })}
            value={starter}
            maxLength={200}
            dir="auto"
            onChange={({ currentTarget: { value } }) => set(starters.map((one, index) => (index === at ? value : one)))}
          />
          <IconButton
            icon={X}
            label={t({ id: 'studio.starters.remove', defaultMessage: 'Remove starter {number}' }, { number: at + 1 })}
            onClick={() => set(starters.filter((_one, index) => index !== at))}
          />
        </div>
      ))}
      {starters.length < mostStarters ? (
        <div>
          <Button variant="default" size="xs" leftSection={<Plus size={14} />} onClick={() => set([...starters, ''])}>
            {t({ id: 'studio.starters.add', defaultMessage: 'Add starter' })}
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
}

function NameAndPicture({ editing: { content, change } }: Pick<Props, 'editing'>) {
  const { t } = useText();
  const { fieldNames } = useWords();
  const names = useGlyphNames();
  return (
    <>
      <TextInput
        label={fieldNames.name}
        value={content.name}
        maxLength={60}
        dir="auto"
        autoComplete="off"
        error={content.name.trim() === '' ? t({ id: 'studio.name.missing', defaultMessage: 'It needs a name.' }) : null}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <fieldset className={classes.glyphs}>
        <legend>{fieldNames.glyph}</legend>
        {(Object.keys(glyphs) as (keyof typeof glyphs)[]).map((glyph) => {
          const Icon = glyphs[glyph];
          return (
            <label key={glyph} className={classes.glyph} title={names[glyph]}>
              <input
                type="radio"
                name="glyph"
                aria-label={names[glyph]}
                checked={content.glyph === glyph}
                onChange={() => change({ glyph })}
              />
              <Icon />
            </label>
          );
        })}
      </fieldset>
    </>
  );
}

function useGlyphNames(): Readonly<Record<keyof typeof glyphs, string>> {
  const { t } = useText();
  return {
    bot: t({ id: 'studio.glyph.bot', defaultMessage: 'Robot' }),
    bolt: t({ id: 'studio.glyph.bolt', defaultMessage: 'Flash' }),
    book: t({ id: 'studio.glyph.book', defaultMessage: 'Book' }),
    briefcase: t({ id: 'studio.glyph.briefcase', defaultMessage: 'Briefcase' }),
    code: t({ id: 'studio.glyph.code', defaultMessage: 'Code' }),
    compass: t({ id: 'studio.glyph.compass', defaultMessage: 'Compass' }),
    globe: t({ id: 'studio.glyph.globe', defaultMessage: 'Globe' }),
    heart: t({ id: 'studio.glyph.heart', defaultMessage: 'Heart' }),
    scale: t({ id: 'studio.glyph.scale', defaultMessage: 'Scales' }),
    shield: t({ id: 'studio.glyph.shield', defaultMessage: 'Shield' }),
    users: t({ id: 'studio.glyph.users', defaultMessage: 'People' }),
    wrench: t({ id: 'studio.glyph.wrench', defaultMessage: 'Wrench' }),
  };
}
