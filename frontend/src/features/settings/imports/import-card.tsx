import { Button } from '@mantine/core';
import type { ChatImport } from '@parley/contracts';
import { importPartBytes } from '@parley/contracts/names';
import { FileArchive } from 'lucide-react';
import { useFormats } from '../../../lib/formats.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import { AllChatsActs } from './all-chats.tsx';
import { FoundInside } from './found-inside.tsx';
import { useImportActs } from './import-acts.ts';
import { ShowLosses } from './losses.tsx';
import { sourceNames, useFailures, useImportName } from './import-words.ts';
import { Parts } from './parts.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { useUploading, type Uploading } from './uploading.ts';
import classes from './imports.module.css';

type Props = { readonly item: ChatImport };

/** The last part is shorter. */
const receivedBytes = ({ bytes, received }: ChatImport['files'][number]): number =>
  received.reduce((sum, part) => sum + Math.min(importPartBytes, bytes - (part - 1) * importPartBytes), 0);
const bytesOf = ({ files }: ChatImport): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** An upload that is not imported: on its way, being checked, checked, or nothing that can be read. */
export function ImportCard({ item }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const nameOf = useImportName();
  const failures = useFailures();
  const acts = useImportActs(item);
  const uploading = useUploading(item.id);
  const name = nameOf(item);
  return (
    <article className={classes.card} aria-label={name}>
      <div className={classes.file}>
        <FileArchive size={20} />
        <div className={classes.about}>
          <bdi className={classes.name}>{name}</bdi>
          <About item={item} />
        </div>
        <State item={item} uploading={uploading} />
      </div>
      {item.status === 'uploading' ? <Sending item={item} uploading={uploading} /> : null}
      {item.failure ? <Note kind="danger">{failures[item.failure]}</Note> : null}
      {item.status === 'failed' ? <Missing item={item} /> : null}
      {item.report && item.status === 'checked' ? (
        <FoundInside item={item} report={item.report} acts={acts} />
      ) : (
        <div className={classes.acts}>
          {isRepeatable(item) ? (
            <Button variant="default" loading={acts.isBusy} onClick={acts.repeat} {...off}>
              {t({ id: 'settings.import.repeat', defaultMessage: 'Try again' })}
            </Button>
          ) : null}
          {item.status === 'failed' && item.losses > 0 ? <ShowLosses item={item} /> : null}
          {item.status === 'failed' ? <AllChatsActs item={item} /> : null}
          <Button variant="subtle" loading={acts.isBusy} onClick={acts.remove} {...off}>
            {item.status === 'failed'
              ? t({ id: 'settings.import.remove', defaultMessage: 'Remove' })
              : t({ id: 'settings.import.discard', defaultMessage: 'Discard' })}
          </Button>
        </div>
      )}
    </article>
  );
}

/** Returns true if a server error stopped the import and its upload is still stored. */
const isRepeatable = ({ status, failure, expiresAt }: ChatImport): boolean =>
  status === 'failed' && failure === 'internal' && expiresAt !== null;

/** Says how many chats a failed import left out. */
function Missing({ item: { report, imported } }: Props) {
  const { t } = useText();
  const { number } = useFormats();
  const of = report?.chats.toImport ?? 0;
  const count = of - imported.chats;
  if (count <= 0) return null;
  return (
    <p className="p-sm p-quiet">
      {t(
        {
          id: 'settings.import.missing',
          defaultMessage:
            '{count, plural, one {# of {of} chats wasn’t imported} other {# of {of} chats weren’t imported}}. What was imported stays.',
        },
        { count, of: number(of) },
      )}
    </p>
  );
}

function About({ item }: Props) {
  const { t } = useText();
  const { size, seconds } = useFormats();
  const { source, status, checkedMs, report } = item;
  const { known = 1, grown = 0, deleted = 0 } = report?.chats ?? {};
  const isNew = status === 'checked' && known + grown + deleted === 0;
  const told = [
    source ? sourceNames[source] : null,
    size(bytesOf(item)),
    checkedMs === null
      ? null
      : checkedMs < 1_000
        ? t({ id: 'settings.import.checkedAtOnce', defaultMessage: 'checked in less than a second' })
        : t({ id: 'settings.import.checkedIn', defaultMessage: 'checked in {time}' }, { time: seconds(checkedMs) }),
    isNew ? t({ id: 'settings.import.nothingYet', defaultMessage: 'nothing imported yet' }) : null,
  ];
  return (
    <span className="p-xs p-quiet">
      <Parts of={told} />
    </span>
  );
}

function State({ item: { status, progress }, uploading }: Props & { uploading: Uploading | undefined }) {
  const { t } = useText();
  if (status === 'checking')
    return (
      <span className={classes.state}>
        <StatusShape kind="running" />
        {t(
          {
            id: 'settings.import.checking',
            defaultMessage:
              '{chats, plural, =0 {Checking} one {Checking, # chat so far} other {Checking, # chats so far}}',
          },
          { chats: progress?.chats ?? 0 },
        )}
      </span>
    );
  if (status === 'checked')
    return (
      <span className={classes.state}>
        <StatusShape kind="ok" />
        {t({ id: 'settings.import.checked', defaultMessage: 'Checked' })}
      </span>
    );
  if (status !== 'uploading') return null;
  return (
    <span className={classes.state}>
      <StatusShape kind={uploading && !uploading.error ? 'running' : 'waiting'} />
      {uploading && !uploading.error
        ? t({ id: 'settings.import.uploading', defaultMessage: 'Uploading' })
        : t({ id: 'settings.import.incomplete', defaultMessage: 'Not all of it is here' })}
    </span>
  );
}

function Sending({ item, uploading }: Props & { uploading: Uploading | undefined }) {
  const { t } = useText();
  const { size } = useFormats();
  const off = useActionOff();
  const describe = useProblemText();
  const acts = useImportActs(item);
  const total = bytesOf(item);
  const there = item.files.reduce((sum, file) => sum + receivedBytes(file), 0);
  const sent = uploading?.sent ?? there;
  const words = t(
    { id: 'settings.import.sent', defaultMessage: '{sent} of {total} uploaded' },
    { sent: size(sent), total: size(total) },
  );
  return (
    <>
      <ProgressBar className={classes.progress} value={sent} of={total} label={words} />
      <span className="p-xs p-quiet">{words}</span>
      {uploading?.error ? <Note kind="danger">{describe(uploading.error).text}</Note> : null}
      {uploading && !uploading.error ? null : sent < total ? (
        <p className="p-sm p-quiet">
          {t({
            id: 'settings.import.chooseAgain',
            defaultMessage: 'Choose the same files again to continue. What is here isn’t sent twice.',
          })}
        </p>
      ) : (
        <div className={classes.acts}>
          <Button variant="default" loading={acts.isBusy} onClick={() => acts.act('check')} {...off}>
            {t({ id: 'settings.import.check', defaultMessage: 'Check' })}
          </Button>
        </div>
      )}
    </>
  );
}
