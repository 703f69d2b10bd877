import { Button } from '@mantine/core';
import type { ChatImport, ImportReport } from '@parley/contracts';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import type { useImportActs } from './import-acts.ts';
import { ShowLosses } from './losses.tsx';
import { NameProjects } from './name-projects.tsx';
import { useProjectChoice } from './project-choice.ts';
import { ReportTable } from './report-table.tsx';
import classes from './imports.module.css';

type Props = {
  readonly item: ChatImport;
  readonly report: ImportReport;
  readonly acts: ReturnType<typeof useImportActs>;
};

/** What a check has found, and the button that imports it. */
export function FoundInside({ item, report, acts }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const [again, setAgain] = useState(false);
  const { chats } = report;
  const toImport = chats.toImport + (again ? chats.deleted : 0);
  const projects = useProjectChoice(item, again);
  const isAdding = toImport === 0 && chats.grown > 0;
  const isMaking = toImport === 0 && !isAdding && projects.made > 0;
  const files = toImport === 0 && !isAdding && !isMaking ? (report.projectFiles?.toImport ?? 0) : 0;
  const start = () => {
    if (projects.isComplete()) acts.start(again, projects.wanted);
  };
  return (
    <>
      <ReportTable report={report} projects={projects.made} />
      {chats.grown > 0 ? <Added report={report} /> : null}
      {item.losses > 0 ? <ShowLosses item={item} /> : null}
      {chats.deleted > 0 ? (
        <label className={classes.check}>
          <input type="checkbox" checked={again} onChange={({ currentTarget }) => setAgain(currentTarget.checked)} />
          {t(
            {
              id: 'settings.import.again',
              defaultMessage:
                '{count, plural, one {Also import # chat that you deleted here} other {Also import # chats that you deleted here}}',
            },
            { count: chats.deleted },
          )}
        </label>
      ) : null}
      {projects.shown.length > 0 ? <NameProjects source={item.source} projects={projects} /> : null}
      <div className={classes.acts}>
        <Button
          loading={acts.isBusy}
          disabled={toImport === 0 && !isAdding && !isMaking && files === 0}
          onClick={start}
          {...off}
        >
          {isAdding
            ? t({ id: 'settings.import.add', defaultMessage: 'Add what is new' })
            : isMaking
              ? t(
                  {
                    id: 'settings.import.startProjects',
                    defaultMessage: '{count, plural, one {Import # project} other {Import # projects}}',
                  },
                  { count: projects.made },
                )
              : files > 0
                ? t(
                    {
                      id: 'settings.import.startFiles',
                      defaultMessage: '{count, plural, one {Import # project file} other {Import # project files}}',
                    },
                    { count: files },
                  )
                : t(
                    {
                      id: 'settings.import.start',
                      defaultMessage:
                        '{count, plural, =0 {Nothing to import} one {Import # chat} other {Import # chats}}',
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
