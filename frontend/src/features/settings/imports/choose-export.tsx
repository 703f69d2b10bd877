import { Button } from '@mantine/core';
import type { ChatImport } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FolderArchive } from 'lucide-react';
import { useRef, useState, type DragEvent } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { areFilesOf, startUploading } from './uploading.ts';
import classes from './imports.module.css';

type Props = {
  /** Uploads that are not imported yet: choosing the same files again sends the rest of one. */
  readonly open: readonly ChatImport[];
  readonly mostBytes: number | undefined;
};

/** Takes the files of an export, by button or dropped. */
export function ChooseExport({ open, mostBytes }: Props) {
  const { t } = useText();
  const { size } = useFormats();
  const off = useActionOff();
  const field = useRef<HTMLInputElement>(null);
  const { choose, error, isPending } = useChoose(open);
  const [isOver, setOver] = useState(false);
  const hasFiles = (event: DragEvent) => off === null && event.dataTransfer.types.includes('Files');
  return (
    <>
      <div
        className={classes.choose}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          setOver(false);
          choose([...event.dataTransfer.files]);
        }}
      >
        <FolderArchive size={20} />
        <div className={classes.about}>
          <span className={classes.name}>
            {t({
              id: 'settings.import.choose.from',
              defaultMessage: 'From ChatGPT, Claude, Open WebUI, LibreChat or Parley',
            })}
          </span>
          <span className="p-xs p-quiet">
            {mostBytes === undefined
              ? t({ id: 'settings.import.choose.how', defaultMessage: 'Upload the export file unchanged' })
              : t(
                  {
                    id: 'settings.import.choose.most',
                    defaultMessage: 'Upload the export file unchanged, or all of its parts together, up to {size}',
                  },
                  { size: size(mostBytes) },
                )}
          </span>
        </div>
        <input
          ref={field}
          type="file"
          multiple
          accept=".zip,.json,application/zip,application/json"
          className="p-hidden"
          tabIndex={-1}
          aria-label={t({ id: 'settings.import.choose.field', defaultMessage: 'Export files' })}
          onChange={({ currentTarget }) => {
            choose([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
        <Button variant="default" loading={isPending} onClick={() => field.current?.click()} {...off}>
          {t({ id: 'settings.import.choose.label', defaultMessage: 'Choose files' })}
        </Button>
      </div>
      {error === null ? null : (
        <Note kind="danger" isAlert>
          {error}
        </Note>
      )}
    </>
  );
}

/** Begins an upload, or goes on with one that has these files. */
function useChoose(open: readonly ChatImport[]) {
  const client = useQueryClient();
  const describe = useProblemText();
  const orgId = useTab().organisation.id;
  const refresh = () => client.invalidateQueries({ queryKey: resourceKey('imports', orgId) });
  const choosing = useMutation({
    mutationFn: async (chosen: readonly File[]) => {
      const known = open.find((item) => item.status === 'uploading' && areFilesOf(item, chosen));
      const body = { id: newId('import'), files: chosen.map(({ name, size: bytes }) => ({ name, bytes })) };
      const item = known ?? (await api('POST /api/chat/imports', { orgId, body, retries: 2 }));
      startUploading(orgId, item, { chosen, onEnd: () => void refresh() });
    },
    onSettled: refresh,
  });
  return {
    choose: (chosen: readonly File[]) => {
      if (chosen.length > 0) choosing.mutate(chosen);
    },
    isPending: choosing.isPending,
    error: choosing.error ? describe(choosing.error).text : null,
  };
}
