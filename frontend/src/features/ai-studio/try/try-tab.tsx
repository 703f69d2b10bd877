import { ActionIcon, NativeSelect, Textarea } from '@mantine/core';
import type { ChatbotDraft, Trial } from '@parley/contracts';
import { ArrowUp } from 'lucide-react';
import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useText } from '../../../lib/text.ts';
import { useVersionName } from '../../../domain/chatbot/use-version-name.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { nextNumber, useVersions } from '../state/queries.ts';
import { useAsk, useTrials } from './trials.ts';
import type { DraftEditing } from '../state/use-draft-editing.ts';
import { TrialView } from './trial-view/index.tsx';
import classes from './try-tab.module.css';

const TestDialog = lazyPart(async () => (await import('../tests/test-dialog.tsx')).TestDialog);

/** What one side answers as: the draft (null), a version, or nothing. */
type Side = number | null | 'none';
type Props = { draft: ChatbotDraft; editing: DraftEditing };

/** One question, asked of two versions side by side: the draft and what is live, unless others are chosen. */
export function TryTab({ draft, editing }: Props) {
  const { t } = useText();
  const live = draft.published?.version ?? null;
  const [sides, setSides] = useState<readonly [Side, Side]>([null, live ?? 'none']);
  const { data } = useTrials(draft.id);
  const [kept, setKept] = useState<Trial | null>(null);
  const isSame = sides[0] === sides[1];
  const shown = isSame ? [sides[0]] : sides.filter((side) => side !== 'none');
  const newest = (side: Side) => data?.items.find(({ version }) => version === side);
  return (
    <div className={classes.tab}>
      <div className={classes.sides} data-count={shown.length}>
        {([0, 1] as const).map((at) => {
          const side = sides[at];
          const trial = newest(side);
          return (
            <section key={at} className={classes.side} data-none={side === 'none' || undefined}>
              <VersionChoice
                draft={draft}
                value={side}
                mayBeNone={at === 1}
                onChange={(next) => setSides(at === 0 ? [next, sides[1]] : [sides[0], next])}
              />
              {side === 'none' || (at === 1 && isSame) ? null : trial ? (
                <TrialView key={trial.id} known={trial} draft={draft} onKeep={setKept} />
              ) : (
                <p className="p-sm p-quiet">
                  {t({ id: 'studio.try.nothing', defaultMessage: 'Nothing was asked of it yet.' })}
                </p>
              )}
            </section>
          );
        })}
      </div>
      <AskForm draft={draft} editing={editing} versions={shown as (number | null)[]} />
      {kept ? <TestDialog chatbotId={draft.id} test={null} from={kept} onClose={() => setKept(null)} /> : null}
    </div>
  );
}

type ChoiceProps = { draft: ChatbotDraft; value: Side; mayBeNone: boolean; onChange: (next: Side) => void };

function VersionChoice({ draft, value, mayBeNone, onChange }: ChoiceProps) {
  const { t } = useText();
  const versionName = useVersionName();
  const { data } = useVersions(draft.id);
  const live = draft.published?.version;
  const versions = [
    ...new Set([...(live === undefined ? [] : [live]), ...(data?.items ?? []).map((one) => one.version)]),
  ];
  const options = [
    {
      value: 'draft',
      label: t(
        { id: 'studio.version.draft', defaultMessage: 'Draft {version}' },
        { version: String(nextNumber(draft.published)) },
      ),
    },
    ...versions.map((version) => ({
      value: String(version),
      label:
        version === live
          ? t({ id: 'studio.version.live', defaultMessage: '{version}, live' }, { version: versionName(version) })
          : versionName(version),
    })),
    ...(mayBeNone ? [{ value: 'none', label: t({ id: 'studio.try.none', defaultMessage: 'Nothing beside it' }) }] : []),
  ];
  return (
    <NativeSelect
      aria-label={t({ id: 'studio.try.which', defaultMessage: 'What answers' })}
      value={value === null ? 'draft' : String(value)}
      data={options}
      onChange={({ currentTarget: { value: next } }) =>
        onChange(next === 'draft' ? null : next === 'none' ? 'none' : Number(next))
      }
    />
  );
}

function AskForm({ draft, editing, versions }: Props & { versions: readonly (number | null)[] }) {
  const { t } = useText();
  const off = useActionOff();
  const [question, setQuestion] = useState('');
  const ask = useAsk(draft.id);
  // What is tried is what the server has: a draft that is not saved yet would be another one.
  const waits = versions.includes(null) && (editing.isDirty || editing.conflict !== null);
  const isReady = question.trim() !== '' && !off && !waits && !ask.isPending;
  const send = () => {
    if (isReady) ask.mutate({ question: question.trim(), versions }, { onSuccess: () => setQuestion('') });
  };
  const label = t({ id: 'studio.try.ask', defaultMessage: 'Ask a question' });
  return (
    <form
      className={classes.ask}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send();
      }}
    >
      <ErrorNote error={ask.error} />
      <div className={classes.box}>
        <Textarea
          variant="unstyled"
          className={classes.question}
          aria-label={label}
          placeholder={label}
          value={question}
          maxLength={32_000}
          rows={1}
          dir="auto"
          onChange={(event) => setQuestion(event.currentTarget.value)}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <span className="p-meta">
          {waits
            ? t({ id: 'studio.try.waits', defaultMessage: 'Waits until the draft is saved' })
            : t({ id: 'studio.try.pays', defaultMessage: 'Uses your own budget' })}
        </span>
        <ActionIcon
          type="submit"
          variant={isReady ? 'filled' : 'default'}
          size={32}
          aria-label={t({ id: 'studio.try.send', defaultMessage: 'Ask' })}
          aria-disabled={!isReady}
        >
          <ArrowUp />
        </ActionIcon>
      </div>
    </form>
  );
}
