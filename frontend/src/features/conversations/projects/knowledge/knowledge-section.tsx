import { Button, UnstyledButton } from '@mantine/core';
import type { Project } from '@parley/contracts';
import { documentEndings } from '@parley/contracts/names';
import { Plus, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { LateTexts } from '../../../../lib/late-texts.tsx';
import { useProblemText } from '../../../../lib/problem-texts.ts';
import { useRight } from '../../../../lib/tab-organisation.tsx';
import { useText } from '../../../../lib/text.ts';
import { Menu } from '../../../../ui/menu.tsx';
import { Note } from '../../../../ui/note.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import { ConnectionRow, FileRow, UploadRow } from './knowledge-rows.tsx';
import { mostProjectFiles, useProjectFiles } from './use-project-files.ts';
import { useProjectConnections } from './use-project-connections.ts';
import classes from './knowledge.module.css';

/** The rows that are shown before "Show all". */
const shownFirst = 6;
type Props = { project: Project };

/** Shows the data connections and files of a project in its settings. */
export function KnowledgeSection(props: Props) {
  return (
    <LateTexts part="knowledge">
      <LateTexts part="files">
        <LateTexts part="unread">
          <Section {...props} />
        </LateTexts>
      </LateTexts>
    </LateTexts>
  );
}

function Section({ project }: Props) {
  const { t } = useText();
  const files = useProjectFiles(project.id);
  const connections = useProjectConnections(project);
  const [isWhole, setWhole] = useState(false);
  const mayChange = useRight('chat:update') && !project.deleting;
  const mayUpload = useRight('chat:create') && mayChange;
  const title = t({ id: 'knowledge.section.title', defaultMessage: 'Files and knowledge' });
  const onRemove = (remove: () => void) => (mayChange ? remove : null);
  const rows = [
    ...connections.chosen.map(({ id, name }) => (
      <ConnectionRow
        key={id}
        name={name}
        isSaving={connections.isSaving}
        onRemove={onRemove(() => void connections.remove(id, name))}
      />
    )),
    ...files.files.map((file) => (
      <FileRow
        key={file.id}
        file={file}
        onRemove={onRemove(() => files.remove(file))}
        onRetry={() => files.readAgain(file.id)}
      />
    )),
  ];
  const shown = isWhole ? rows : rows.slice(0, shownFirst);
  const isEmpty = rows.length + files.uploads.length === 0 && !files.isLoading && !files.error;
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.head}>
        <h3 className="p-h3">{title}</h3>
        <div className={classes.add}>
          {mayChange ? <ConnectionPicker connections={connections} /> : null}
          {mayUpload ? <UploadButton isFull={files.files.length >= mostProjectFiles} onFiles={files.add} /> : null}
        </div>
      </div>
      {files.isLoading ? (
        <output className="p-meta">{t({ id: 'knowledge.section.loading', defaultMessage: 'Loading files…' })}</output>
      ) : null}
      {files.error ? (
        <Failed
          title={t({ id: 'knowledge.files.failed', defaultMessage: 'The files couldn’t be loaded.' })}
          error={files.error}
          onRetry={files.retry}
        />
      ) : null}
      {connections.error ? (
        <Failed
          title={t({ id: 'knowledge.connections.failed', defaultMessage: 'The data connections couldn’t be loaded.' })}
          error={connections.error}
          onRetry={connections.retry}
        />
      ) : null}
      {isEmpty ? <Empty /> : null}
      <ul aria-label={title}>
        {shown}
        {files.uploads.map((upload) => (
          <UploadRow
            key={upload.id}
            upload={upload}
            onRemove={() => files.stop(upload.id)}
            onRetry={() => files.sendAgain(upload.id)}
          />
        ))}
      </ul>
      {shown.length < rows.length ? (
        <UnstyledButton className={classes.more} onClick={() => setWhole(true)}>
          {t(
            { id: 'knowledge.section.more', defaultMessage: 'Show {count, plural, one {# more} other {# more}}' },
            { count: rows.length - shown.length },
          )}
        </UnstyledButton>
      ) : null}
    </section>
  );
}

function Empty() {
  const { t } = useText();
  return (
    <div className={classes.empty}>
      <p className={classes.emptyTitle}>
        {t({ id: 'knowledge.empty.title', defaultMessage: 'No files or connections yet' })}
      </p>
      <p className="p-meta">
        {t({
          id: 'knowledge.empty.text',
          defaultMessage: 'Answers in all chats of this project search what you add here, and cite it.',
        })}
      </p>
    </div>
  );
}

function Failed({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  const { t } = useText();
  const describe = useProblemText();
  const retry = (
    <Button variant="default" size="xs" onClick={onRetry}>
      {t({ id: 'knowledge.section.retry', defaultMessage: 'Try again' })}
    </Button>
  );
  return (
    <Note kind="danger" isAlert actions={retry}>
      {title} {describe(error).text}
    </Note>
  );
}

type Connections = Pick<ReturnType<typeof useProjectConnections>, 'addable' | 'add' | 'isLoading' | 'isSaving'>;

/** Lists the data connections that the person can read and the project lacks. */
function ConnectionPicker({ connections: { addable, add, isLoading, isSaving } }: { connections: Connections }) {
  const { t } = useText();
  const off = useActionOff();
  const mayRead = useRight('data_connection:read');
  if (!mayRead) return null;
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<Plus />} loading={isSaving}>
          {t({ id: 'knowledge.connections.add', defaultMessage: 'Connection' })}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.options}>
        {addable.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => add(id)} {...off}>
            <bdi>{name}</bdi>
          </Menu.Item>
        ))}
        {addable.length === 0 ? (
          <Menu.Label>
            {isLoading
              ? t({ id: 'knowledge.connections.loading', defaultMessage: 'Loading data connections…' })
              : t({
                  id: 'knowledge.connections.none',
                  defaultMessage: 'This project has all data connections that you can read',
                })}
          </Menu.Label>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}

const accepted = Object.keys(documentEndings)
  .map((ending) => `.${ending}`)
  .join(',');

function UploadButton({ isFull, onFiles }: { isFull: boolean; onFiles: (files: readonly File[]) => void }) {
  const { t } = useText();
  const off = useActionOff();
  const input = useRef<HTMLInputElement>(null);
  const full = t(
    { id: 'knowledge.files.full', defaultMessage: 'This project has {most, number} files, the most that it can have.' },
    { most: mostProjectFiles },
  );
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t({ id: 'knowledge.files.choose', defaultMessage: 'Add files to the project' })}
        accept={accepted}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Otherwise people couldn't choose the same file again.
          currentTarget.value = '';
        }}
      />
      <Button
        variant="default"
        size="xs"
        leftSection={<Upload />}
        onClick={() => input.current?.click()}
        disabled={isFull}
        title={isFull ? full : undefined}
        {...off}
      >
        {t({ id: 'knowledge.files.add', defaultMessage: 'Files' })}
      </Button>
    </>
  );
}
