import { Button, Loader } from '@mantine/core';
import { ListChecks, X } from 'lucide-react';
import { useState } from 'react';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { offBecause, useActionOff } from '../../../ui/stale.tsx';
import { mostAtOnce, type Selection } from '../state/selection.ts';
import { useActs, type Act } from './use-acts.ts';
import classes from './selection-bar.module.css';

type Props = {
  selection: Selection;
  /** True in the sidebar, where the bar has icons without words. */
  isNarrow?: boolean;
};

/** Shows the number of selected chats, and actions on them, at the end of a list. */
export const SelectionBar = (props: Props) => (
  <LateTexts part="many">
    <Bar {...props} />
  </LateTexts>
);

function Bar({ selection, isNarrow = false }: Props) {
  const { t } = useText();
  const isSmall = useMediaQuery('(max-width: 699px)');
  const [isBusy, setBusy] = useState(false);
  const { acts, question } = useActs(selection.chats);
  const count = selection.chats.length;
  const run = async (act: Act) => {
    setBusy(true);
    const left = await act.run().finally(() => setBusy(false));
    if (left.length === 0) selection.end();
    else selection.keep(left);
  };
  return (
    <div
      className={classes.bar}
      data-narrow={isNarrow || undefined}
      role="toolbar"
      aria-label={t({ id: 'many.bar.label', defaultMessage: 'Selected chats' })}
    >
      <output className={`p-sm p-figures ${classes.count}`}>
        {count < mostAtOnce
          ? t(
              {
                id: 'many.bar.count',
                defaultMessage: '{count, plural, =0 {None selected} one {# selected} other {# selected}}',
              },
              { count },
            )
          : t({ id: 'many.bar.full', defaultMessage: '{count} selected, the most at once' }, { count })}
      </output>
      <span className={classes.end}>
        <IconButton
          icon={ListChecks}
          label={t({ id: 'many.bar.all', defaultMessage: 'Select all' })}
          onClick={selection.all}
        />
        <IconButton
          icon={X}
          label={t({ id: 'many.bar.end', defaultMessage: 'Cancel selection' })}
          onClick={selection.end}
        />
      </span>
      <span className={classes.acts}>
        {acts.map((act) => (
          <ActButton
            key={act.key}
            act={act}
            hasWords={!isNarrow && !isSmall}
            isBusy={isBusy}
            onClick={() => void run(act)}
          />
        ))}
        {isBusy ? <Loader size={16} /> : null}
        {question}
      </span>
    </div>
  );
}

type ActProps = { act: Act; hasWords: boolean; isBusy: boolean; onClick: () => void };

function ActButton({ act: { label, icon: Icon, isRed, off }, hasWords, isBusy, onClick }: ActProps) {
  const { t } = useText();
  const stale = useActionOff();
  const reason = isBusy ? t({ id: 'many.off.busy', defaultMessage: 'Wait until the last act is done' }) : off;
  const given = { onClick, ...(reason !== null && offBecause(reason)), ...stale };
  if (!hasWords) return <IconButton icon={Icon} label={label} {...(isRed && { color: 'red' })} {...given} />;
  return (
    <Button size="xs" variant="subtle" color={isRed ? 'red' : 'gray'} leftSection={<Icon />} {...given}>
      {label}
    </Button>
  );
}
