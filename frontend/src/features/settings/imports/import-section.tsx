import type { ChatImport } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { Section } from '../parts/section.tsx';
import { ChooseExport } from './choose-export.tsx';
import { ImportCard } from './import-card.tsx';
import { ImportRow } from './import-row.tsx';
import { RunningImport } from './running-import.tsx';
import classes from './imports.module.css';

/** Events tell each state; this is how far it is in between. */
const refetchMs = 3_000;
const isBusy = ({ status, chats }: ChatImport): boolean =>
  status === 'checking' || status === 'importing' || chats?.state === 'deleting' || chats?.state === 'restoring';
const isRunning = ({ status }: ChatImport): boolean => status === 'importing' || status === 'paused';
const isOver = ({ status }: ChatImport): boolean => status === 'done' || status === 'stopped';

/** Brings the chats of other products: uploads, what was found, what is running, what was imported. */
export function ImportSections() {
  const { t } = useText();
  const list = useList('GET /api/chat/imports', { refetchMs: (items) => (items.some(isBusy) ? refetchMs : null) });
  const items = list.items ?? [];
  const open = items.filter((item) => !isRunning(item) && !isOver(item));
  const running = items.filter(isRunning);
  const over = items.filter(isOver);
  return (
    <>
      <Section
        title={t({ id: 'settings.import.title', defaultMessage: 'Import chats' })}
        about={t({
          id: 'settings.import.about',
          defaultMessage:
            'Bring your chat history, with branches and files. Importing a file again adds what is new and never changes or duplicates anything.',
        })}
      >
        <ListView
          list={list}
          loading={t({ id: 'settings.import.loading', defaultMessage: 'Loading imports…' })}
          failed={t({ id: 'settings.import.failed', defaultMessage: 'Imports could not be loaded' })}
          empty={<ChooseExport open={[]} mostBytes={list.first?.mostBytes} />}
        >
          {() => (
            <>
              <ChooseExport open={open} mostBytes={list.first?.mostBytes} />
              {open.map((item) => (
                <ImportCard key={item.id} item={item} />
              ))}
            </>
          )}
        </ListView>
      </Section>
      {running.length > 0 ? (
        <Section
          title={t({ id: 'settings.import.running.title', defaultMessage: 'Running import' })}
          about={t({ id: 'settings.import.running.about', defaultMessage: 'Continues when you close this window.' })}
        >
          {running.map((item) => (
            <RunningImport key={item.id} item={item} />
          ))}
        </Section>
      ) : null}
      {over.length > 0 ? (
        <Section
          title={t({ id: 'settings.import.over.title', defaultMessage: 'Imported' })}
          about={t({
            id: 'settings.import.over.about',
            defaultMessage: 'Imported chats are marked, private, and not counted as usage.',
          })}
        >
          <ul className={classes.list}>
            {over.map((item) => (
              <ImportRow key={item.id} item={item} />
            ))}
          </ul>
        </Section>
      ) : null}
    </>
  );
}
