import { Button } from '@mantine/core';
import type { CuratedAnswer } from '@parley/contracts';
import { BookCheck, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useRight } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { useList } from '../../lib/use-list.ts';
import { ListView } from '../../ui/list-view.tsx';
import { LivePage } from '../../ui/page.tsx';
import { SidePanel, SideBySide } from '../../ui/side-panel.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { useActionOff } from '../../ui/stale.tsx';
import table from '../../ui/table.module.css';
import { TextFilter } from '../../ui/text-filter.tsx';
import { AnswerTable } from './components/answer-table.tsx';
import { CuratedForm } from './components/curated-form.tsx';
import { DeleteAnswer } from './components/delete-answer.tsx';
import classes from './feedback.module.css';

/** What the organisation wants to be said. */
export function AnswersTab({ bar }: { bar: ReactNode }) {
  const { t } = useText();
  const mayManage = useRight('feedback:manage');
  const off = useActionOff();
  const list = useList('GET /api/chat/curated-answers', { filters: { text: 'text' } });
  const [editing, setEditing] = useState<CuratedAnswer | 'new' | null>(null);
  const [deleting, setDeleting] = useState<CuratedAnswer | null>(null);
  const title = t({ id: 'feedback.page.title', defaultMessage: 'Feedback' });
  const write = t({ id: 'feedback.curated.write', defaultMessage: 'Write curated answer' });
  const panelTitle =
    editing === 'new' ? write : t({ id: 'feedback.curated.edit', defaultMessage: 'Edit curated answer' });
  const close = () => setEditing(null);
  return (
    <LivePage
      title={title}
      actions={
        mayManage ? (
          <Button
            // In the panel it is the saving that most people want.
            variant={editing ? 'default' : 'filled'}
            leftSection={<Plus />}
            onClick={() => setEditing('new')}
            {...off}
          >
            {write}
          </Button>
        ) : null
      }
    >
      {bar}
      <SideBySide
        panel={
          editing ? (
            <SidePanel title={panelTitle} isForm onClose={close}>
              <CuratedForm
                key={editing === 'new' ? 'new' : editing.id}
                answer={editing === 'new' ? null : editing}
                onClose={close}
              />
            </SidePanel>
          ) : undefined
        }
      >
        <div className={classes.scroll}>
          <ListView
            list={list}
            loading={t({ id: 'feedback.curated.loading', defaultMessage: 'Curated answers are loading' })}
            failed={t({ id: 'feedback.curated.failed', defaultMessage: 'Curated answers could not be loaded' })}
            empty={<None />}
            filtering={{
              bar: (
                <div className={table.bar}>
                  <TextFilter
                    label={t({ id: 'feedback.curated.filter', defaultMessage: 'Words of a question' })}
                    text={list.filters.text}
                    onChange={(text) => list.setFilters({ text })}
                  />
                </div>
              ),
              none: t({ id: 'feedback.curated.none', defaultMessage: 'No curated answer matches' }),
              clear: () => list.setFilters({ text: null }),
            }}
          >
            {(items) => (
              <AnswerTable
                items={items}
                current={editing === 'new' ? null : (editing?.id ?? null)}
                onEdit={mayManage ? setEditing : null}
                onDelete={setDeleting}
              />
            )}
          </ListView>
        </div>
      </SideBySide>
      {deleting ? <DeleteAnswer answer={deleting} onClose={() => setDeleting(null)} /> : null}
    </LivePage>
  );
}

function None() {
  const { t } = useText();
  return (
    <StateView
      icon={BookCheck}
      title={t({ id: 'feedback.curated.emptyTitle', defaultMessage: 'Nothing is curated yet' })}
    >
      {t({
        id: 'feedback.curated.emptyText',
        defaultMessage:
          'A curated answer is said word for word when somebody asks a question that is close enough, before any document is looked at.',
      })}
    </StateView>
  );
}
