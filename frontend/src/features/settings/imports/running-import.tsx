import { Button } from '@mantine/core';
import type { ChatImport } from '@parley/contracts';
import { Pause, Play } from 'lucide-react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { Note } from '../../../ui/note.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import { useImportActs } from './import-acts.ts';
import { useFailures, useImportName } from './import-words.ts';
import { ShowLosses } from './losses.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import classes from './imports.module.css';

/** How far an import is, with Pause and Stop. */
export function RunningImport({ item }: { readonly item: ChatImport }) {
  const { t } = useText();
  const { number } = useFormats();
  const off = useActionOff();
  const nameOf = useImportName();
  const failures = useFailures();
  const acts = useImportActs(item);
  const { chats = 0, of = 0 } = item.progress ?? {};
  const isPaused = item.status === 'paused';
  const words = t(
    {
      id: 'settings.import.progress',
      defaultMessage: '{of, plural, one {{chats} of # chat} other {{chats} of # chats}}',
    },
    { chats: number(chats), of },
  );
  return (
    <article className={classes.running} aria-label={nameOf(item)}>
      <div className={classes.titled}>
        <bdi className={classes.name}>{nameOf(item)}</bdi>
        <span className="p-sm p-quiet">{words}</span>
      </div>
      {isPaused && item.failure ? <Note kind="danger">{failures[item.failure]}</Note> : null}
      <ProgressBar className={classes.progress} value={chats} of={of} label={words} />
      <div className={classes.acts}>
        <span className={classes.state}>
          <StatusShape kind={isPaused ? 'waiting' : 'running'} />
          {isPaused
            ? t({ id: 'settings.import.paused', defaultMessage: 'Paused' })
            : t({ id: 'settings.import.importing', defaultMessage: 'Importing' })}
        </span>
        {item.losses > 0 ? <ShowLosses item={item} /> : null}
        <span className={classes.gap} />
        <Button
          variant="subtle"
          leftSection={isPaused ? <Play /> : <Pause />}
          loading={acts.isBusy}
          onClick={() => acts.act(isPaused ? 'resume' : 'pause')}
          {...off}
        >
          {isPaused
            ? t({ id: 'settings.import.resume', defaultMessage: 'Resume' })
            : t({ id: 'settings.import.pause', defaultMessage: 'Pause' })}
        </Button>
        <Button variant="default" loading={acts.isBusy} onClick={() => acts.act('stop')} {...off}>
          {t({ id: 'settings.import.stop', defaultMessage: 'Stop' })}
        </Button>
      </div>
    </article>
  );
}
