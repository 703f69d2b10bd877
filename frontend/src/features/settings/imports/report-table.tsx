import type { ImportReport } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useOtherKinds } from './import-words.ts';
import { Parts } from './parts.tsx';
import classes from './imports.module.css';

type Props = { readonly report: ImportReport; /** New projects that come. */ readonly projects: number };
type Row = { readonly what: string; readonly found: number; readonly toImport: number; readonly skipped: string[] };
/** Limits how much of what can't be imported is named before the rest is counted. */
const mostNames = 5;

/** Counts what is in an export, what of it is imported, and why the rest isn't. */
export function ReportTable({ report, projects }: Props) {
  const { t } = useText();
  const { number } = useFormats();
  const rows = useRows(report, projects);
  return (
    <table className={`p-sm ${classes.report}`}>
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
        {rows.map(({ what, found, toImport, skipped }, at) => (
          <tr key={at}>
            <th scope="row">{what}</th>
            <td className={classes.figure}>{number(found)}</td>
            <td className={classes.figure}>
              <strong>{number(toImport)}</strong>
            </td>
            <td className="p-sm p-quiet">
              <Parts of={skipped} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function useRows(report: ImportReport, made: number): Row[] {
  const { t } = useText();
  const { chats, messages, branches, files, others, projects = [] } = report;
  const kinds = useOtherKinds();
  const cantBe = useCantBe();
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
  const here = projects.filter(({ state }) => state === 'here').length;
  const projectRow = {
    what: kinds.projects,
    found: projects.length,
    toImport: made,
    skipped: some(here, (count) =>
      t({ id: 'settings.import.report.projectsHere', defaultMessage: '{count, number} already here' }, { count }),
    ),
  };
  const ofProjects = report.projectFiles && {
    what: kinds['project-files'],
    ...report.projectFiles,
    skipped: some(report.projectFiles.found - report.projectFiles.toImport, (count) =>
      t(
        {
          id: 'settings.import.report.projectFilesSkipped',
          defaultMessage: '{count, number} already here or can’t be added',
        },
        { count },
      ),
    ),
  };
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
    ...(projects.length > 0 ? [projectRow] : []),
    ...(ofProjects ? [ofProjects] : []),
    ...others.map((other) => ({ what: kinds[other.kind], found: other.count, toImport: 0, skipped: cantBe(other) })),
  ];
}

/** Names what can't be imported, the first of many. */
function useCantBe(): (other: ImportReport['others'][number]) => string[] {
  const { t } = useText();
  return ({ count, names = [] }) => {
    const named = names.slice(0, mostNames);
    const more = count - named.length;
    const cant = t({ id: 'settings.import.report.cant', defaultMessage: 'Can’t be imported' });
    if (named.length === 0 || more === 0) return [cant, ...named];
    return [
      cant,
      ...named,
      t({ id: 'settings.import.report.more', defaultMessage: 'and {count, number} more' }, { count: more }),
    ];
  };
}
