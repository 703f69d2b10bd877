import { Button, Checkbox } from '@mantine/core';
import type { ChatImport, ImportReport } from '@parley/contracts';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import type { useImportActs } from './import-acts.ts';
import { useOtherKinds } from './import-words.ts';
import { ShowLosses } from './losses.tsx';
import classes from './imports.module.css';

type Props = {
  readonly item: ChatImport;
  readonly report: ImportReport;
  readonly acts: ReturnType<typeof useImportActs>;
};
type Row = { readonly what: string; readonly found: number; readonly toImport: number; readonly skipped: string[] };

/** What a check has found, and the button that imports it. */
export function FoundInside({ item, report, acts }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const [again, setAgain] = useState(false);
  const { chats } = report;
  const toImport = chats.toImport + (again ? chats.deleted : 0);
  const isAdding = toImport === 0 && chats.grown > 0;
  return (
    <>
      <ReportTable report={report} />
      {chats.grown > 0 ? <Added report={report} /> : null}
      {item.losses > 0 ? <ShowLosses item={item} /> : null}
      {chats.deleted > 0 ? (
        <Checkbox
          checked={again}
          onChange={({ currentTarget }) => setAgain(currentTarget.checked)}
          label={t(
            {
              id: 'settings.import.again',
              defaultMessage:
                '{count, plural, one {Also import # chat that you deleted here} other {Also import # chats that you deleted here}}',
            },
            { count: chats.deleted },
          )}
        />
      ) : null}
      <div className={classes.acts}>
        <Button loading={acts.isBusy} disabled={toImport === 0 && !isAdding} onClick={() => acts.start(again)} {...off}>
          {isAdding
            ? t({ id: 'settings.import.add', defaultMessage: 'Add what is new' })
            : t(
                {
                  id: 'settings.import.start',
                  defaultMessage: '{count, plural, =0 {Nothing to import} one {Import # chat} other {Import # chats}}',
                },
                { count: toImport },
              )}
        </Button>
        <Button variant="subtle" onClick={acts.remove} {...off}>
          {t({ id: 'settings.import.discard', defaultMessage: 'Discard' })}
        </Button>
        <span className={`p-xs p-quiet ${classes.aside}`}>
          {t({
            id: 'settings.import.over.about',
            defaultMessage: 'Imported chats are marked, private, and not counted as usage.',
          })}
        </span>
      </div>
    </>
  );
}

/** Says what the import adds to chats that were imported before. */
function Added({ report: { chats, messages } }: Pick<Props, 'report'>) {
  const { t } = useText();
  return (
    <p className="p-sm">
      {chats.toImport === 0
        ? t(
            {
              id: 'settings.import.adds',
              defaultMessage:
                'Adds {messages, plural, one {# message} other {# messages}} to {chats, plural, one {# chat} other {# chats}}',
            },
            { messages: messages.toImport, chats: chats.grown },
          )
        : t(
            {
              id: 'settings.import.addsAlso',
              defaultMessage: 'Also adds what is new to {chats, plural, one {# chat} other {# chats}} imported before',
            },
            { chats: chats.grown },
          )}
    </p>
  );
}

function ReportTable({ report }: Pick<Props, 'report'>) {
  const { t } = useText();
  const { number } = useFormats();
  const rows = useRows(report);
  return (
    <table className={classes.report}>
      <thead>
        <tr>
          <th scope="col">{t({ id: 'settings.import.report.content', defaultMessage: 'Content' })}</th>
          <th scope="col" className={classes.figure}>
            {t({ id: 'settings.import.report.found', defaultMessage: 'Found' })}
          </th>
          <th scope="col" className={classes.figure}>
            {t({ id: 'settings.import.report.toImport', defaultMessage: 'To import' })}
          </th>
          <th scope="col">{t({ id: 'settings.import.report.skipped', defaultMessage: 'Skipped, and why' })}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ what, found, toImport, skipped }) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td className={classes.figure}>{number(found)}</td>
            <td className={classes.figure}>
              <strong>{number(toImport)}</strong>
            </td>
            <td className="p-sm p-quiet">{skipped.join(' · ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function useRows({ chats, messages, branches, files, others }: ImportReport): Row[] {
  const { t } = useText();
  const kinds = useOtherKinds();
  const some = (count: number, words: (count: number) => string) => (count > 0 ? [words(count)] : []);
  const elsewhere = ({ found, toImport }: { found: number; toImport: number }, less = 0) =>
    some(found - toImport - less, (count) =>
      chats.grown > 0
        ? t(
            { id: 'settings.import.report.here', defaultMessage: '{count, number} already here or in skipped chats' },
            { count },
          )
        : t({ id: 'settings.import.report.inSkipped', defaultMessage: '{count, number} in skipped chats' }, { count }),
    );
  return [
    {
      what: t({ id: 'settings.import.report.chats', defaultMessage: 'Chats' }),
      ...chats,
      skipped: [
        ...some(chats.known, (count) =>
          t({ id: 'settings.import.report.known', defaultMessage: '{count, number} already imported' }, { count }),
        ),
        ...some(chats.deleted, (count) =>
          t({ id: 'settings.import.report.deleted', defaultMessage: '{count, number} deleted here' }, { count }),
        ),
        ...some(chats.empty, (count) =>
          t({ id: 'settings.import.report.empty', defaultMessage: '{count, number} without messages' }, { count }),
        ),
        ...some(chats.broken, (count) =>
          t({ id: 'settings.import.report.broken', defaultMessage: '{count, number} can’t be read' }, { count }),
        ),
      ],
    },
    {
      what: t({ id: 'settings.import.report.messages', defaultMessage: 'Messages' }),
      ...messages,
      skipped: elsewhere(messages),
    },
    {
      what: t({ id: 'settings.import.report.branches', defaultMessage: 'Branches' }),
      ...branches,
      skipped: elsewhere(branches),
    },
    {
      what: t({ id: 'settings.import.report.files', defaultMessage: 'Files' }),
      ...files,
      skipped: [
        ...elsewhere(files, files.missing + files.unsupported),
        ...some(files.missing, (count) =>
          t({ id: 'settings.import.report.missing', defaultMessage: '{count, number} not in the export' }, { count }),
        ),
        ...some(files.unsupported, (count) =>
          t(
            { id: 'settings.import.report.unsupported', defaultMessage: '{count, number} of an unsupported type' },
            { count },
          ),
        ),
      ],
    },
    ...others.map(({ kind, count }) => ({
      what: kinds[kind],
      found: count,
      toImport: 0,
      skipped: [t({ id: 'settings.import.report.cant', defaultMessage: 'Can’t be imported' })],
    })),
  ];
}
