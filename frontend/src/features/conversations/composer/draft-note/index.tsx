import { Button } from '@mantine/core';
import { MonitorSmartphone, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useFormats } from '../../../../lib/formats.ts';
import { LateTexts } from '../../../../lib/late-texts.tsx';
import { runShortcut } from '../../../../lib/shortcuts.ts';
import { useText } from '../../../../lib/text.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import type { Other, Where } from '../../state/drafts.ts';
import { useDrafts } from '../../state/drafts-context.tsx';
import { useDraftSync } from '../use-draft-sync.ts';
import classes from './draft-note.module.css';

/** Syncs the draft between devices. Shows above the composer texts that two devices wrote at the same time. */
export const DraftNote = (props: { where: Where }) => (
  <LateTexts part="talk">
    <Note {...props} />
  </LateTexts>
);

function Note({ where }: { where: Where }) {
  const { t } = useText();
  const drafts = useDrafts();
  const draft = useSyncExternalStore(drafts.watch, () => drafts.read(where));
  useDraftSync(where, draft);
  const choose = (act: 'swap' | 'dismiss', other: Other) => {
    drafts[act](where, other);
    runShortcut('compose');
  };
  const title = t({ id: 'talk.draft.title', defaultMessage: 'Also written on another device' });
  return (
    <>
      <output className="p-hidden">{draft.others.length > 0 ? title : null}</output>
      {draft.others.length > 0 ? (
        <ul className={classes.tray} aria-label={title}>
          {draft.others.map((other) => (
            <OtherText
              key={other.text}
              other={other}
              title={title}
              onUse={() => choose('swap', other)}
              onDismiss={() => choose('dismiss', other)}
            />
          ))}
        </ul>
      ) : null}
    </>
  );
}

type OtherProps = { other: Other; title: string; onUse: () => void; onDismiss: () => void };

function OtherText({ other, title, onUse, onDismiss }: OtherProps) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  return (
    <li className={`p-sm ${classes.other}`}>
      <MonitorSmartphone className={classes.icon} />
      <div className={classes.words}>
        <p>
          {title}{' '}
          <time className="p-meta" dateTime={other.at} title={exact(other.at)}>
            {ago(other.at)}
          </time>
        </p>
        <p className={classes.text} dir="auto">
          {other.text}
        </p>
      </div>
      <div className={classes.acts}>
        <Button variant="subtle" size="xs" onClick={onUse}>
          {t({ id: 'talk.draft.use', defaultMessage: 'Use this' })}
        </Button>
        <IconButton icon={X} label={t({ id: 'talk.draft.dismiss', defaultMessage: 'Dismiss' })} onClick={onDismiss} />
      </div>
    </li>
  );
}
